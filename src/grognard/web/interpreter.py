"""How the interpreter is set for a process that answers many and remembers much."""

import gc
import sys


def settle() -> None:
    """Look for garbage seldom, and let threads take turns quickly.

    What is remembered lives long: to look through all of it would hold everybody up. A thread that
    reads or writes a request has little to do, and should not wait long for one that thinks.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    sys.setswitchinterval(0.001)
