/**
 * Node's own flags for a process that scans. Why: its heap is small (some 20 MB) and its columns lie outside it,
 * megabytes a tick, so that V8 would collect the whole heap at every tick; and helper threads of the collector
 * would wait for cores that the worker keeps busy. PERFORMANCE.md, section "Flags, packets, echoes in groups", has
 * the effect.
 */
export const scanningFlags = ['--initial-heap-size=256', '--single-threaded-gc'];
