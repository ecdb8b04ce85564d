// Opening scenarios in a real browser with the real host behind it: by the dialog, by dropping files, and by the
// desktop app's menu, whose bridge is replaced. Errors are shown, and nothing that was open is lost.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { socketProtocols } from '#contract/wire/socketProtocols.ts';
import { describeApp, eventually } from './app.ts';
import { screenshot } from './browser.ts';

const box = fileURLToPath(new URL('../../assets/scenarios/box.understory.yaml', import.meta.url));

interface FakeShell {
  command: (name: string) => void;
  openFile: (file: string) => void;
}

describeApp('opening a scenario', (app) => {
  async function drop(page: Page, files: { name: string; text: string }[]): Promise<void> {
    await page.evaluate((dropped) => {
      const dataTransfer = new DataTransfer();
      for (const { name, text } of dropped) dataTransfer.items.add(new File([text], name));
      for (const type of ['dragenter', 'dragover', 'drop']) {
        const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
        document.querySelector('main')?.dispatchEvent(event);
      }
    }, files);
  }

  it('checks before it opens: problems are shown at their paths, and what was open stays', async () => {
    const page = await app.open('dark');
    await page.keyboard.press('Control+o');
    await page.getByTestId('open-dialog').getByText('box', { exact: false }).first().waitFor();
    await screenshot(page, 'open-dialog-dark');
    await page.getByTestId('open-path').fill(box);
    await page.keyboard.press('Enter');
    await eventually(() => page.url()).toContain('#/scene');
    const counts = page.locator('#view-status').getByText(/\d objects/);
    await counts.waitFor();

    const refusal = page.getByTestId('refusal');
    const text = await readFile(box, 'utf8');
    await drop(page, [
      { name: 'bad.understory.yaml', text: text.replace(/^name:.*$/m, 'name: 7') },
    ]);
    await refusal.getByText('name', { exact: true }).waitFor();
    await screenshot(page, 'bad-scenario-dark');
    await page.keyboard.press('Escape');
    await drop(page, [{ name: 'bad.understory.yaml', text: 'a: [1' }]);
    await refusal.getByText('bad.understory.yaml').first().waitFor();
    await page.keyboard.press('Escape');
    await drop(page, [{ name: 'tree.obj', text: 'v 0 0 0' }]);
    await refusal.getByText('is a mesh').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+o');
    await page.getByTestId('open-path').fill('/no/such.understory.yaml');
    await page.keyboard.press('Enter');
    await refusal.getByText('/no/such.understory.yaml').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(page.url()).toContain('#/scene');
    expect(await counts.count()).toBe(1);
    const view = page.locator('[data-panel=scene-view]');
    expect(await view.innerText()).not.toContain('Building');
  });

  it('lists the folders of files that were opened by their path', async () => {
    const folder = temporaryFolder();
    const text = await readFile(box, 'utf8');
    for (const name of ['first', 'second']) {
      await writeFile(join(folder, `${name}.understory.yaml`), text);
    }
    const page = await app.open('dark');
    await page.keyboard.press('Control+o');
    const browser = page.getByTestId('folder-browser');
    await browser.getByText('once a file of them was opened').waitFor();
    await page.getByTestId('open-path').fill(join(folder, 'first.understory.yaml'));
    await page.keyboard.press('Enter');
    await page.getByTestId('document-name').getByText('first').waitFor();
    await page.keyboard.press('Control+o');
    await page.getByTestId('file-second.understory.yaml').waitFor();
    expect(await page.getByTestId('folder').inputValue()).toBe(folder);
    expect(await page.getByTestId('folder-up').isDisabled()).toBe(true);
    await screenshot(page, 'open-folder-dark');
    await page.getByTestId('file-second.understory.yaml').click();
    await page.getByTestId('document-name').getByText('second').waitFor();
  });

  it('takes a dropped file by its text, and says what cannot be found then', async () => {
    const page = await app.open('light');
    const text = await readFile(box, 'utf8');
    await drop(page, [
      { name: 'notes.txt', text: '' },
      { name: 'mine.understory.yaml', text: text.replace(/^name:.*$/m, 'name: Dropped box') },
    ]);
    await page.getByTestId('remark').getByText('mine.understory.yaml').waitFor();
    await page.locator('[data-panel=scene-view] canvas').first().waitFor();
    await page
      .locator('[data-panel=scene-contents]')
      .getByText('sphere', { exact: true })
      .first()
      .waitFor();
    await page
      .locator('#view-status')
      .getByText(/\d objects/)
      .waitFor();
    await screenshot(page, 'dropped-light');
  });

  it('does what the desktop app asks: commands of the menu, files by their paths', async () => {
    const mine = join(app.host.dataFolder, 'mine.understory.yaml');
    await writeFile(mine, await readFile(box, 'utf8'));
    const token = new URL(app.host.web.address).searchParams.get('token') ?? '';
    const shellOf = { file: mine, protocols: socketProtocols(token) };
    const page = await app.open('dark', {
      before: async (opened) => void (await opened.addInitScript(fakeShell, shellOf)),
    });
    const shell = (act: keyof FakeShell, word: string): Promise<void> =>
      page.evaluate(
        ([name, value]) => (window as unknown as { fakeShell: FakeShell }).fakeShell[name](value),
        [act, word] as const,
      );
    await shell('command', 'show-palette');
    await page.getByTestId('palette').waitFor();
    await page.keyboard.press('Escape');
    await shell('command', 'show-shortcuts');
    await page.getByTestId('shortcuts').waitFor();
    await page.keyboard.press('Escape');
    await shell('command', 'next-theme');
    await eventually(() => page.locator('html').getAttribute('data-theme')).toBe('light');
    await shell('command', 'open-scenario');
    await eventually(() => page.url()).toContain('#/scene');
    await page.locator('[data-panel=scene-view] canvas').first().waitFor();
    expect(await page.getByTestId('open-dialog').count()).toBe(0);

    await shell('openFile', '/gone/away.understory.yaml');
    await page.getByTestId('refusal').getByText('away').first().waitFor();
    await page.keyboard.press('Escape');
    // In the app a dropped file has a path: nothing needs to be said about it.
    await drop(page, [{ name: 'mine.understory.yaml', text: 'not read' }]);
    await page.waitForTimeout(1500);
    expect(await page.getByTestId('remark').count()).toBe(0);
    expect(await page.getByTestId('refusal').count()).toBe(0);
  });
});

/** Runs in the page before everything else: a bridge like preload.ts's, with a WebSocket behind its port. */
function fakeShell({ file, protocols }: { file: string; protocols: string[] }): void {
  let onCommand = (_: string): void => undefined;
  let onOpenFile = (_: string): void => undefined;
  Object.assign(window, {
    fakeShell: {
      command: (name: string) => onCommand(name),
      openFile: (name: string) => onOpenFile(name),
    },
    understory: {
      connect() {
        const { port1, port2 } = new MessageChannel();
        const socket = new WebSocket(`ws://${location.host}/rpc`, protocols);
        socket.binaryType = 'arraybuffer';
        socket.onopen = () => {
          port1.onmessage = ({ data }: MessageEvent<Uint8Array<ArrayBuffer>>) => socket.send(data);
          window.postMessage('understory:port', '*', [port2]);
        };
        socket.onmessage = ({ data }: MessageEvent<ArrayBuffer>) =>
          port1.postMessage(new Uint8Array(data));
      },
      pathOfFile: () => file,
      chooseFile: () => Promise.resolve(file),
      onCommand: (listener: typeof onCommand) => (onCommand = listener),
      onOpenFile: (listener: typeof onOpenFile) => (onOpenFile = listener),
    },
  });
}
