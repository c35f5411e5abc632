"""Public name of Arrow tables: `from grognard.arrow import fights_table`."""

from grognard.arrays.arrow import fights_table, fights_tables, stream

__all__ = ["fights_table", "fights_tables", "stream"]
