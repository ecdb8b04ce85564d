// What ends after the test that started it.
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Runs `end` after the test that calls this, or, outside of tests and hooks, after all tests of the file or group. */
export function afterwards(end: () => unknown): void {
  const run = async (): Promise<void> => void (await end());
  if (TestRunner.getCurrentTest() === undefined) afterAll(run);
  else onTestFinished(run);
}
