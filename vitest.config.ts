import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

// Suites are folders of test/ (test/all.ts says which command runs which).
export default defineConfig({
  plugins: [vue()],
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
