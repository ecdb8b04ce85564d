// Memory of a page after its garbage has been collected.
import type { Page } from 'playwright-core';

/** Objects and the buffers behind typed arrays, MB of 10⁶ bytes. */
export async function heapMB(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('HeapProfiler.collectGarbage');
    const usage = (await session.send('Runtime.getHeapUsage')) as {
      usedSize: number;
      backingStorageSize?: number;
    };
    return (usage.usedSize + (usage.backingStorageSize ?? 0)) / 1e6;
  } finally {
    await session.detach();
  }
}
