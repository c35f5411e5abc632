"""What a designer asks of a table, and how a fight is stated on a sheet."""
