// `npm run dev` in a real Chromium: the page from its sources reaches the real host, and an edit of a source
// shows without a reload, under the content policy.
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDevServer } from '#hosts/dev/devServer.ts';
import { makeScratchProject } from '#test/hosts/dev/scratchProject.ts';
import { eventually } from './app.ts';
import { hasBrowser, launchBrowser, openPage, openRealHost } from './browser.ts';

describe.skipIf(!hasBrowser)('the page of npm run dev', { timeout: 300_000 }, () => {
  it('connects to the host and applies an edited style sheet at once', async () => {
    const project = await makeScratchProject();
    onTestFinished(() => project.remove());
    const host = await openRealHost(join(project.folder, 'not-built'));
    onTestFinished(() => host.close());
    const hostAddress = host.web.address;
    const dev = await openDevServer({ projectFolder: project.folder, hostAddress });
    onTestFinished(() => dev.close());
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());

    const { page, complaints } = await openPage(browser, 'dark');
    await page.goto(dev.address);
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.evaluate(() => document.body.setAttribute('data-loaded-once', ''));
    await appendFile(
      join(project.folder, 'src-renderer/styles/base.css'),
      '\nbody { caret-color: rgb(1, 2, 3); }\n',
    );
    await eventually(() =>
      page.locator('body[data-loaded-once]').evaluate((body) => getComputedStyle(body).caretColor),
    ).toBe('rgb(1, 2, 3)');
    expect(complaints).toEqual([]);
  });
});
