// Things that end after the test that started them.
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/**
 * Runs `end` after the test that calls this, or, outside of tests and hooks, after all tests of the file or group.
 * @throws in beforeAll, where nothing would call `end`
 */
export function afterwards(end: () => unknown): void {
  const run = async (): Promise<void> => void (await end());
  if (TestRunner.getCurrentTest() !== undefined) return onTestFinished(run);
  if (TestRunner.getCurrentSuite().file?.result !== undefined) {
    throw new Error('expected a call in a test, or outside of hooks, found one in beforeAll');
  }
  afterAll(run);
}
