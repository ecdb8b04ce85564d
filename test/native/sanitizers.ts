// The environment of programs with sanitizers. Why no leak check: TBB and Embree keep pools until the process ends.
export const sanitizers = { ASAN_OPTIONS: 'detect_leaks=0', UBSAN_OPTIONS: 'halt_on_error=1' };
