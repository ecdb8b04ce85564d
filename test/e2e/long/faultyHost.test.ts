// The page before a slow and a broken host: it says what is the matter, recovers, and its memory stays where it
// is. The host is a real web host with a made-up drive; the faults are made on the connection, byte by byte.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { encodeFrame } from '#contract/wire/frame.ts';
import { describeAppWith, eventually } from '../app.ts';
import { screenshot } from '../browser.ts';
import { simSeconds, startDrive } from '../drives.ts';
import { madeUpHost } from '../madeUpHost.ts';
import { heapMB } from '../pageMemory.ts';
import { openFaultyProxy } from '../faultyProxy.ts';

const endlessHost = madeUpHost({ tickMs: 50, points: 4000, isEndless: true });

/** The host behind a proxy; the page is opened through that. */
async function faultyHost(pageFolder: string) {
  const host = await endlessHost(pageFolder);
  const proxy = await openFaultyProxy(host.web.address);
  const close = async (): Promise<void> => {
    await proxy.close();
    await host.close();
  };
  return { web: { address: proxy.address }, proxy, close };
}

describeAppWith(faultyHost, 'the page before a faulty connection', (app) => {
  async function openDriving(): Promise<Page> {
    app.allowComplaints();
    const page = await app.open();
    await startDrive(page);
    await eventually(() => simSeconds(page)).toBeGreaterThan(0.5);
    return page;
  }

  /** The page shows the run again without any action of the user. */
  async function goesOn(page: Page): Promise<void> {
    await page.getByText('Connected', { exact: true }).waitFor();
    const before = await simSeconds(page);
    await eventually(() => simSeconds(page)).toBeGreaterThan(before);
  }

  it('falls behind a slow host without piling anything up, and catches up', async () => {
    const page = await openDriving();
    const before = await heapMB(page);
    const { proxy } = app.host;
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
  });

  it('reports a connection that is cut in the middle of a frame, and continues it', async () => {
    const page = await openDriving();
    for (const bytes of [1, 9, 20, 700, 30_000]) {
      const { proxy } = app.host;
      const { sockets } = proxy;
      const lost = page.getByText('Connection lost').waitFor();
      proxy.cutAfter(bytes);
      await lost;
      await eventually(() => proxy.sockets).toBeGreaterThan(sockets);
      await goesOn(page);
    }
  });

  it('closes the connection on invalid frames, reports it, and reconnects', async () => {
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
      const { proxy } = app.host;
      const { sockets } = proxy;
      const lost = page.getByText('Connection lost').waitFor();
      proxy.inject(bytes);
      await lost.catch(() => expect.unreachable(`${name} was taken for a frame`));
      await eventually(() => proxy.sockets).toBeGreaterThan(sockets);
      await goesOn(page);
    }
    await screenshot(page, 'after-junk-dark');
  });

  it('keeps trying while there is no host, and shows what there was', async () => {
    const page = await openDriving();
    await app.host.proxy.close();
    await page.getByText('The host is not responding').waitFor();
    const before = await heapMB(page);
    await page.waitForTimeout(6000);
    expect((await heapMB(page)) - before).toBeLessThan(4);
    expect(await simSeconds(page)).toBeGreaterThan(0.5);
    expect(await page.getByTestId('start').isDisabled()).toBe(true);
    await screenshot(page, 'no-host-dark');
  });
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
