import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longestFirst.ts';

// Suites are folders of test/ (test/all.ts says which command runs which).
export default defineConfig({
  plugins: [vue()],
  test: {
    include: ['test/**/*.test.ts'],
    // Against tests that never end: a machine with eight other busy processes is five times slower.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 120_000 } },
    maxWorkers: 2,
    // Against a storage of one file that another finds in the same process.
    unstubGlobals: true,
    setupFiles: ['test/fileStart.ts'],
    sequence: { sequencer: LongestFirst },
  },
});
