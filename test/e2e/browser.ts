// A real browser on the freshly built page: what the tests of this folder start from.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, selectors, type Browser, type Page } from 'playwright-core';
import { build } from 'vite';
import { openUnderstory, type Understory } from '#hosts/compose.ts';
import { serve, type WebHost } from '#hosts/web/serve.ts';

const screenshotFolder = fileURLToPath(new URL('screenshots/', import.meta.url));
const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Where Debian, Ubuntu and others put a Chromium; CHROMIUM names another. */
const chromiumPath = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

/** How long a test waits for what must come; several times what a slow machine takes. Shorter for a test at work. */
export const patienceMs = Number(process.env['UNDERSTORY_PATIENCE_MS'] ?? 240_000);

selectors.setTestIdAttribute('data-test');

/** Without a browser on the machine these tests are skipped, and say so. */
export const hasBrowser = chromiumPath !== undefined;

export async function launchBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('no Chromium was found');
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
    ],
  });
}

/** Builds the page into a folder of its own; within `npm run e2e` it has been built for all. */
export async function buildPage(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const built = process.env['UNDERSTORY_BUILT_PAGE'];
  if (built !== undefined) return { folder: built, remove: () => Promise.resolve() };
  const folder = await mkdtemp(join(tmpdir(), 'understory-page-'));
  await build({
    configFile: join(projectFolder, 'vite.config.ts'),
    root: join(projectFolder, 'src-renderer'),
    logLevel: 'error',
    build: { outDir: folder },
  });
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

export interface RealHost {
  dataFolder: string;
  understory: Understory;
  web: WebHost;
  close(): Promise<void>;
}

/** Understory with a data folder of its own behind a web host that serves the page. */
export async function openRealHost(rendererFolder: string): Promise<RealHost> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'understory-data-'));
  const understory = await openUnderstory({ dataFolder });
  const { handlers, events, log } = understory;
  const web = await serve({ handlers, events, log, rendererFolder });
  const close = async (): Promise<void> => {
    await web.close();
    await understory.dispose();
    await rm(dataFolder, { recursive: true });
  };
  return { dataFolder, understory, web, close };
}

/** A page, and everything that it complained about: a broken content policy is an error there. The start page: at a first visit. */
export async function openPage(
  browser: Browser,
  theme: 'dark' | 'light',
  isFirstVisit = false,
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 860 },
    colorScheme: theme,
  });
  context.setDefaultTimeout(patienceMs);
  if (!isFirstVisit) {
    await context.addInitScript(() => localStorage.setItem('understory.started', 'yes'));
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, complaints };
}

/** Saved for people to look at; git ignores the folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  await mkdir(screenshotFolder, { recursive: true });
  await page.screenshot({ path: join(screenshotFolder, `${name}.png`) });
}
