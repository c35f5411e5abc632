"""Run every benchmark and print the tables of docs/performance.md."""

from benchmarks import field, odds, startup, web


def main() -> None:
    for part in (startup, odds, field, web):
        print(part.report())
        print()


main()
