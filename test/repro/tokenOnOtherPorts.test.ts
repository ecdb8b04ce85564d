// The web host's token used to be a cookie of 127.0.0.1, which browsers send to every port of the machine: a page of
// another user's server received it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasBrowser, launchBrowser, openPage } from '#test/e2e/browser.ts';
import { startWebHost } from '#test/hosts/web/webHost.ts';

describe.skipIf(!hasBrowser)('another server of the machine', { timeout: 300_000 }, () => {
  it('does not receive the token of a host that the same browser has open', async () => {
    const host = await startWebHost();
    onTestFinished(() => host.close());
    const received: string[] = [];
    const other = createServer((request, response) => {
      received.push(request.rawHeaders.join('\n'));
      response.end('<title>other</title>');
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());

    const { page } = await openPage(browser, 'dark');
    await page.goto(host.address);
    expect(await page.title()).toBe('page');
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    expect(received.length).toBeGreaterThan(0);
    for (const headers of received) expect(headers).not.toContain(host.token);
    expect(await page.context().cookies()).toEqual([]);
  });
});
