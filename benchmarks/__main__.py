"""Run every benchmark and print the tables of docs/performance.md."""

from benchmarks import field, odds, startup, web, workers


def main() -> None:
    for part in (startup, odds, field, web, workers):
        print(part.report())
        print()


main()
