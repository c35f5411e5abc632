"""The games that come with Grognard, one folder each."""
