// Electron's security checklist (electronjs.org/docs/latest/tutorial/security), point by point, over the options
// and policies that src-main/hosts/electron/window.ts constructs every window with, and the headers of its page.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Session, WebContents } from 'electron';
import { describe, expect, it } from 'vitest';
import {
  appAddress,
  isOwnAddress,
  isOwnFrame,
  restrictContents,
  restrictSession,
  schemePrivileges,
  windowOptions,
} from '#hosts/electron/window.ts';
import { pageHeaders } from '#hosts/pageHeaders.ts';
import { fuses } from '#hosts/packaging/fuses.ts';
import { FuseV1Options } from '@electron/fuses';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const electronFolder = join(root, 'src-main/hosts/electron');
const { webPreferences = {} } = windowOptions('/app/preload.cjs', { width: 1, height: 1 }, false);
const policy = pageHeaders()['Content-Security-Policy'] ?? '';

/** Every TypeScript file of the product by its path, from the root of the clone. */
const sources = new Map(
  ['src-main', 'src-renderer'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|vue)$/.test(name))
      .map((name) => {
        const path = join(folder, name);
        return [path, readFileSync(join(root, path), 'utf8')] as const;
      }),
  ),
);

function filesWith(pattern: RegExp): string[] {
  return [...sources].flatMap(([path, text]) => (pattern.test(text) ? [path] : []));
}

/** Calls of a page's contents, recorded by the names of events. */
function restrictedContents(): {
  fire(event: string, address: string): boolean;
  openWindow(): unknown;
} {
  const listeners = new Map<string, (event: object) => void>();
  let handler: (() => unknown) | null = null;
  const recorder = {
    on: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
    setWindowOpenHandler: (given: () => unknown) => (handler = given),
  };
  restrictContents(recorder as unknown as WebContents);
  return {
    fire(event, address) {
      let isPrevented = false;
      listeners.get(event)?.({ url: address, preventDefault: () => (isPrevented = true) });
      return isPrevented;
    },
    openWindow: () => handler?.(),
  };
}

/** Calls of a session. */
function restrictedSession(): {
  permission(): boolean | undefined;
  check(): boolean;
  device(): boolean;
  isCancelled(address: string): boolean | undefined;
} {
  let request: (c: unknown, p: string, decide: (isGiven: boolean) => void) => void = () =>
    undefined;
  let check = (): boolean => true;
  let device = (): boolean => true;
  let before: (
    details: { url: string },
    decide: (response: { cancel?: boolean }) => void,
  ) => void = () => undefined;
  const recorder = {
    setPermissionRequestHandler: (given: typeof request) => (request = given),
    setPermissionCheckHandler: (given: typeof check) => (check = given),
    setDevicePermissionHandler: (given: typeof device) => (device = given),
    webRequest: { onBeforeRequest: (given: typeof before) => (before = given) },
  };
  restrictSession(recorder as unknown as Session);
  return {
    permission() {
      let isGiven: boolean | undefined;
      request(null, 'geolocation', (decided) => (isGiven = decided));
      return isGiven;
    },
    check: () => check(),
    device: () => device(),
    isCancelled(address) {
      let isCancelled: boolean | undefined;
      before({ url: address }, ({ cancel }) => (isCancelled = cancel));
      return isCancelled;
    },
  };
}

describe('the security checklist', () => {
  it('1: only secure content is loaded, and nothing from elsewhere', () => {
    const session = restrictedSession();
    expect(isOwnAddress(appAddress)).toBe(true);
    expect(session.isCancelled(appAddress)).toBe(false);
    for (const address of ['http://example.org/', 'https://example.org/', 'file:///etc/passwd']) {
      expect(session.isCancelled(address)).toBe(true);
    }
  });
  it('2: no Node integration', () => {
    expect(webPreferences.nodeIntegration).toBe(false);
    expect(webPreferences.nodeIntegrationInWorker).toBe(false);
    expect(webPreferences.nodeIntegrationInSubFrames).toBe(false);
  });
  it('3: context isolation', () => expect(webPreferences.contextIsolation).toBe(true));
  it('4: process sandboxing, for all', () => {
    expect(webPreferences.sandbox).toBe(true);
    expect(sources.get('src-main/hosts/electron/desktop.ts')).toContain('app.enableSandbox()');
  });
  it('5: every permission is refused', () => {
    const session = restrictedSession();
    expect([session.permission(), session.check(), session.device()]).toEqual([
      false,
      false,
      false,
    ]);
  });
  it('6: web security stays on', () => expect(webPreferences.webSecurity).toBe(true));
  it('7: a strict content policy', () => {
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|data:/);
  });
  it('8: no insecure content', () =>
    expect(webPreferences.allowRunningInsecureContent).toBe(false));
  it('9: no experimental features', () => expect(webPreferences.experimentalFeatures).toBe(false));
  it('10: no Blink features by name', () =>
    expect(webPreferences).not.toHaveProperty('enableBlinkFeatures'));
  it('11: no webview, so none with popups', () => {
    expect(webPreferences.webviewTag).toBe(false);
    expect(filesWith(/<webview/)).toEqual([]);
  });
  it('12: no webview is ever attached', () =>
    expect(restrictedContents().fire('will-attach-webview', appAddress)).toBe(true));
  it('13: no navigation away', () => {
    const contents = restrictedContents();
    for (const event of ['will-navigate', 'will-frame-navigate', 'will-redirect']) {
      expect(contents.fire(event, 'https://example.org/')).toBe(true);
      expect(contents.fire(event, 'app://understory.example.org/')).toBe(true);
      expect(contents.fire(event, appAddress)).toBe(false);
    }
  });
  it('14: no new windows', () =>
    expect(restrictedContents().openWindow()).toEqual({ action: 'deny' }));
  it('15: nothing is opened in other programs', () =>
    expect(filesWith(/openExternal|shell\.open/)).toEqual([]));
  it('16: a current Electron', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    expect(Number(devDependencies['electron']?.split('.')[0])).toBeGreaterThanOrEqual(45);
  });
  it('17: the sender of every message is checked', () => {
    expect(isOwnFrame({ url: appAddress, parent: null })).toBe(true);
    expect(isOwnFrame(null)).toBe(false);
    expect(isOwnFrame({ url: 'https://example.org/', parent: null })).toBe(false);
    expect(isOwnFrame({ url: appAddress, parent: {} as never })).toBe(false);
    const desktop = sources.get('src-main/hosts/electron/desktop.ts') ?? '';
    const listeners = desktop.match(/ipcMain\.(on|handle)\(/g) ?? [];
    const checks = desktop.match(/isOwnFrame\(event\.senderFrame\)/g) ?? [];
    expect(listeners.length).toBeGreaterThan(0);
    expect(checks).toHaveLength(listeners.length);
    expect(filesWith(/ipcMain/)).toEqual(['src-main/hosts/electron/desktop.ts']);
  });
  it('18: no file:// protocol, but one of our own without privileges beyond those of a page', () => {
    expect(filesWith(/loadFile\(|file:\/\//)).toEqual([]);
    expect(schemePrivileges).toMatchObject({ secure: true, bypassCSP: false, corsEnabled: false });
  });
  it('19: all nine fuses are set on purpose', () => {
    const known = Object.values(FuseV1Options).filter((value) => typeof value === 'number');
    expect(known).toHaveLength(9);
    expect(Object.keys(fuses).map(Number).sort()).toEqual(known.sort());
    expect(fuses[FuseV1Options.RunAsNode]).toBe(false);
    expect(fuses[FuseV1Options.EnableNodeOptionsEnvironmentVariable]).toBe(false);
    expect(fuses[FuseV1Options.EnableNodeCliInspectArguments]).toBe(false);
    expect(fuses[FuseV1Options.OnlyLoadAppFromAsar]).toBe(true);
    expect(fuses[FuseV1Options.EnableEmbeddedAsarIntegrityValidation]).toBe(true);
  });
  it('20: the page gets no part of Electron, but one bridge of named functions', () => {
    const preload = sources.get('src-main/hosts/electron/preload/preload.ts') ?? '';
    expect(preload.match(/exposeInMainWorld/g)).toHaveLength(1);
    expect(preload).not.toMatch(/exposeInMainWorld\([^)]*ipcRenderer/);
    expect(filesWith(/from 'electron'/).filter((path) => path.startsWith('src-renderer'))).toEqual(
      [],
    );
  });
});

describe('windows', () => {
  it('are constructed in one place alone', () => {
    expect(
      filesWith(/new (BrowserWindow|Window|BaseWindow|WebContentsView|BrowserView)\(/),
    ).toEqual(['src-main/hosts/electron/window.ts']);
  });
  it('import Electron in its own folder alone', () => {
    const users = filesWith(/from 'electron'/).map((path) => join(root, path));
    expect(users.every((path) => path.startsWith(electronFolder))).toBe(true);
    expect(users.length).toBeGreaterThan(0);
  });
});
