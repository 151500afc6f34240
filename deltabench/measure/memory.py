"""Resident memory of a process, watched from outside so that nothing in it is disturbed."""

from __future__ import annotations

import threading

import psutil

from deltabench.cells import MemoryUse

SAMPLE_SECONDS = 0.01


class MemoryWatch:
    """Samples the resident size of a process until it ends or `stop` is called."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self._baseline_bytes = 0
        self._peak_bytes = 0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def baseline(self) -> None:
        """Take the present size as the baseline, and look for the peak from here on."""
        self._baseline_bytes = self._peak_bytes = self._sample()

    def stop(self) -> MemoryUse:
        """Stop watching and give baseline and peak in bytes."""
        self._done.set()
        self._thread.join()
        return MemoryUse(baseline_bytes=self._baseline_bytes, peak_bytes=self._peak_bytes)

    def _watch(self) -> None:
        while not self._done.wait(SAMPLE_SECONDS):
            size_bytes = self._sample()
            if not size_bytes:
                return
            self._peak_bytes = max(self._peak_bytes, size_bytes)

    def _sample(self) -> int:
        try:
            return int(self._process.memory_info().rss)
        except psutil.Error:  # the process has ended
            return 0
