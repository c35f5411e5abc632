"""Run every benchmark and print the tables of docs/performance.md."""

from benchmarks import odds, startup


def main() -> None:
    for part in (startup, odds):
        print(part.report())
        print()


main()
