"""`python -m grognard` is the command."""

from grognard.cli import main

main()
