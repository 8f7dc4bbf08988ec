"""The memory of the server's processes: what they do not need any more goes back to the system."""

import ctypes
import gc

# How often a worker that has served somebody gives back what is free.
GIVE_BACK_SECONDS = 30.0
# glibc's names of what can be set, and from which size on a block is memory of its own, or the end of a heap is freed.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
_BLOCK_BYTES, _HEAP_END_BYTES, _HEAPS = 1 << 18, 1 << 20, 2


def bound_heaps() -> None:
    """Before there are threads: glibc would give many of them heaps of their own, and what is free in one cannot be
    used by another. Once a large block was freed it would also keep such blocks, unless their size is fixed."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        libc.mallopt(_ARENA_MAX, _HEAPS)
        libc.mallopt(_MMAP_THRESHOLD, _BLOCK_BYTES)
        libc.mallopt(_TRIM_THRESHOLD, _HEAP_END_BYTES)


def give_back() -> None:
    """Free pages between used ones stay with a heap until this is asked for."""
    gc.collect()
    libc = ctypes.CDLL(None)
    if hasattr(libc, "malloc_trim"):
        libc.malloc_trim(0)
