// The page before a slow and a broken host: it says what is the matter, recovers, and its memory stays where it
// is. The host is a real web host with a made-up drive; the trouble is made on the way, byte by byte.
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeFrame } from '#contract/frame.ts';
import { serve, type WebHost } from '#hosts/web/serve.ts';
import { createSyntheticHost } from '#test/hosts/syntheticHost.ts';
import { buildPage, hasBrowser, launchBrowser, openPage, screenshot } from '../browser.ts';
import { heapMB } from '../pageMemory.ts';
import { openTroubledProxy, type TroubledProxy } from '../troubledProxy.ts';

const silent = { info() {}, warn() {}, error() {} };
const patience = { timeout: 30_000 };

describe.skipIf(!hasBrowser)('the page before a troubled host', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let web: WebHost;
  let proxy: TroubledProxy;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await built.remove();
  });
  beforeEach(async () => {
    const { handlers, events } = createSyntheticHost({ tickMs: 50, points: 4000, isEndless: true });
    web = await serve({ handlers, events, rendererFolder: built.folder, log: silent });
    proxy = await openTroubledProxy(web.address);
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await proxy.close();
    await web.close();
  });

  async function openDriving(): Promise<Page> {
    const { page } = await openPage(browser, 'dark');
    await page.goto(proxy.address);
    await page.locator('[data-test=start]').click();
    await expect.poll(() => simSeconds(page), patience).toBeGreaterThan(0.5);
    return page;
  }

  async function simSeconds(page: Page): Promise<number> {
    const tile = page.locator('[data-test=figures] > div', { hasText: 'Simulated time' });
    return Number.parseFloat(await tile.locator('dd').innerText()) || 0;
  }

  /** The run goes on in sight of the page, without anybody doing anything. */
  async function goesOn(page: Page): Promise<void> {
    await page.getByText('Connected', { exact: true }).waitFor(patience);
    const before = await simSeconds(page);
    await expect.poll(() => simSeconds(page), patience).toBeGreaterThan(before);
  }

  it('falls behind a slow host without piling anything up, and catches up', async () => {
    const page = await openDriving();
    const before = await heapMB(page);
    proxy.slowness = { bytesPerS: 60_000, delayMs: 200 };
    const sims: number[] = [];
    for (let look = 0; look < 6; look += 1) {
      await page.waitForTimeout(1500);
      sims.push(await simSeconds(page));
    }
    expect(new Set(sims).size).toBeGreaterThan(2);
    // A view is some 140 kB: of 180 that came meanwhile all but a few were left out.
    expect((await heapMB(page)) - before).toBeLessThan(8);
    await screenshot(page, 'slow-host-dark');
    proxy.slowness = null;
    await goesOn(page);
  }, 90_000);

  it('says so when the connection is cut in the middle of a frame, and takes it up again', async () => {
    const page = await openDriving();
    for (const bytes of [1, 9, 20, 700, 30_000]) {
      const { sockets } = proxy;
      const lost = page.getByText('Connection lost').waitFor(patience);
      proxy.cutAfter(bytes);
      await lost;
      await expect.poll(() => proxy.sockets, patience).toBeGreaterThan(sockets);
      await goesOn(page);
    }
  }, 120_000);

  it('hangs up on what is no frame, says so, and starts anew', async () => {
    const page = await openDriving();
    const whole = encodeFrame({
      header: { kind: 'event', id: 0, method: 'runs.changed', body: {} },
      columns: { x: new Float32Array(8) },
    });
    const junk = {
      noise: Uint8Array.from({ length: 90 }, (_, index) => (index * 167) % 251),
      nothing: new Uint8Array(0),
      cutHeader: whole.subarray(0, 30),
      cutColumns: whole.subarray(0, whole.length - 9),
      hugeLength: withLength(whole, 2 ** 52),
      noJson: withNoise(whole),
    };
    for (const [name, bytes] of Object.entries(junk)) {
      const { sockets } = proxy;
      const lost = page.getByText('Connection lost').waitFor(patience);
      proxy.inject(bytes);
      await lost.catch(() => expect.unreachable(`${name} was taken for a frame`));
      await expect.poll(() => proxy.sockets, patience).toBeGreaterThan(sockets);
      await goesOn(page);
    }
    await screenshot(page, 'after-junk-dark');
  }, 120_000);

  it('keeps trying while there is no host, and shows what there was', async () => {
    const page = await openDriving();
    await proxy.close();
    await page.getByText('The host does not answer').waitFor(patience);
    const before = await heapMB(page);
    await page.waitForTimeout(6000);
    expect((await heapMB(page)) - before).toBeLessThan(4);
    expect(await simSeconds(page)).toBeGreaterThan(0.5);
    expect(await page.locator('[data-test=start]').isDisabled()).toBe(true);
    await screenshot(page, 'no-host-dark');
    proxy = await openTroubledProxy(web.address);
  }, 60_000);
});

/** The same frame, that says of its payload that it is longer than any. */
function withLength(frame: Uint8Array, payloadBytes: number): Uint8Array {
  const changed = frame.slice();
  new DataView(changed.buffer).setBigUint64(8, BigInt(payloadBytes), true);
  return changed;
}

/** The same frame, whose header is no JSON. */
function withNoise(frame: Uint8Array): Uint8Array {
  const changed = frame.slice();
  changed.fill(0x21, 16, 24);
  return changed;
}
