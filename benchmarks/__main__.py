"""Run every benchmark and print the tables of docs/performance.md."""

from benchmarks import (
    apart,
    arrays,
    campaign,
    cards,
    cold_odds,
    crowd,
    field,
    odds,
    players,
    secret_times,
    startup,
    web,
    workers,
)


def main() -> None:
    for part in (
        startup,
        odds,
        cold_odds,
        cards,
        field,
        campaign,
        players,
        arrays,
        workers,
        web,
        apart,
        crowd,
        secret_times,
    ):
        print(part.report())
        print()


main()
