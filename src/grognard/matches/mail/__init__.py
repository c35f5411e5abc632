"""Matches by mail: a signed file that goes to and fro between two players, without a server."""
