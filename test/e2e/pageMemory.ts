// Memory of a page after its garbage has been collected.
import type { Page } from 'playwright-core';
import type { PlainPage } from './plainPage.ts';

/** Objects and the buffers behind typed arrays, MB of 10⁶ bytes. */
export async function heapMB(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  try {
    return await plainHeapMB(session);
  } finally {
    await session.detach();
  }
}

/** The same of a plain page. */
export async function plainHeapMB(page: Pick<PlainPage, 'send'>): Promise<number> {
  await page.send('HeapProfiler.collectGarbage');
  const usage = (await page.send('Runtime.getHeapUsage')) as {
    usedSize: number;
    backingStorageSize?: number;
  };
  return (usage.usedSize + (usage.backingStorageSize ?? 0)) / 1e6;
}
