// Shared by every test of this folder: one browser and one built page for a file, one host for a test, and
// pages that are closed behind it. A test fails when a page of its complained, unless it says that it may.
import type { Browser, Locator, Page } from 'playwright-core';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
} from 'vitest';
import {
  buildPage,
  hasBrowser,
  launchBrowser,
  openPage,
  openRealHost,
  patienceMs,
  type RealHost,
} from './browser.ts';
import { type HostProcess, startHostProcess } from './hostProcess.ts';

export type Theme = 'dark' | 'light';

interface Host {
  web: { address: string };
  close(): Promise<void>;
}

export interface App<H extends Host = RealHost> {
  /** The host of the test that runs. */
  readonly host: H;
  readonly browser: Browser;
  /** The folder of the built page. */
  readonly pageFolder: string;
  /** A page that has reached its host. */
  open(theme?: Theme, options?: OpenOptions): Promise<Page>;
  /** For a test that gives its pages reason to complain, like a host that goes away. */
  allowComplaints(): void;
}

interface OpenOptions {
  /** Where in the page: what follows the #, like 'scene'. */
  at?: string;
  /** Instead of the test's own host. */
  address?: string;
  /** In a browser that has not opened Understory before. */
  isFirstVisit?: boolean;
  /** Work on the page before it is loaded. */
  before?: (page: Page) => Promise<void>;
}

/** Tests with a real host of their own each. */
export function describeApp(name: string, tests: (app: App) => void): void {
  describeAppWith(openRealHost, name, tests);
}

/** The same with another host, given the folder of the built page. */
export function describeAppWith<H extends Host>(
  openHost: (pageFolder: string) => Promise<H>,
  name: string,
  tests: (app: App<H>) => void,
): void {
  describe.skipIf(!hasBrowser)(name, { timeout: 900_000 }, () => {
    let browser: Browser;
    let built: Awaited<ReturnType<typeof buildPage>>;
    let host: H;
    let complaints: string[][];
    let mayComplain: boolean;
    beforeAll(async () => {
      [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
    });
    afterAll(async () => {
      await browser.close();
      await built.remove();
    });
    beforeEach(async () => {
      [complaints, mayComplain] = [[], false];
      host = await openHost(built.folder);
    });
    afterEach(async () => {
      const heard = mayComplain ? [] : complaints.flat();
      await Promise.all(browser.contexts().map((context) => context.close()));
      await host.close();
      expect(heard, 'what the pages complained about').toEqual([]);
    });

    tests({
      get host() {
        return host;
      },
      get browser() {
        return browser;
      },
      get pageFolder() {
        return built.folder;
      },
      async open(theme = 'dark', options = {}) {
        const { at = '', address = host.web.address, before, isFirstVisit } = options;
        const opened = await openPage(browser, theme, isFirstVisit);
        complaints.push(opened.complaints);
        await before?.(opened.page);
        const url = new URL(address);
        if (at !== '') url.hash = `#/${at}`;
        await opened.page.goto(url.href);
        await opened.page.getByText('Connected', { exact: true }).waitFor();
        return opened.page;
      },
      allowComplaints() {
        mayComplain = true;
      },
    });
  });
}

/** Asserts what is read, soon or within the patience of a slow machine. */
export function eventually<T>(read: () => T) {
  return expect.poll(read, { timeout: patienceMs });
}

/** Gives an element the focus once it is shown; one that is hidden would stay without it, and no error would come. */
export async function focusOn(element: Locator): Promise<void> {
  await element.waitFor({ state: 'visible' });
  await element.focus();
  await eventually(() => element.evaluate((one) => one.matches(':focus-within'))).toBe(true);
}

/** Opens a panel that is an icon at the edge of its page. One that is open stays so. */
export async function openAtEdge(page: Page, title: string): Promise<void> {
  const heading = page.getByRole('heading', { name: title, exact: true });
  const panel = page.locator('[data-panel]', { has: heading });
  // Why asked again: the page folds and opens edges as drives start and end.
  const isOpen = async (): Promise<boolean> => {
    if (!(await panel.isVisible()))
      await page.getByRole('tab', { name: title, exact: true }).click();
    return panel.isVisible();
  };
  await expect.poll(isOpen, { timeout: patienceMs, interval: 300 }).toBe(true);
}

/** As startHostProcess; it lives as long as its test. */
export async function openHostProcess(
  ...given: Parameters<typeof startHostProcess>
): Promise<HostProcess> {
  const host = await startHostProcess(...given);
  onTestFinished(() => host.end());
  return host;
}
