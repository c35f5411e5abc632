"""The command `grognard`: one module a command."""
