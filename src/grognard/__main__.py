"""`python -m grognard` is the command."""

from grognard.cli.main import main

if __name__ == "__main__":  # a second process of the server reads this file too
    main()
