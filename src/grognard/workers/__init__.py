"""Public name of parallel work: `from grognard.workers import run`."""

from grognard.parallel.workers import run

__all__ = ["run"]
