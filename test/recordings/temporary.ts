// A folder for one test, removed afterwards.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a folder that lives as long as the test that asks for it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'understory-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
