// The scene view with the real host and worker: samples open with one click, the courtyard keeps within its
// budget from wherever it is seen, things are told apart by clicking, and distances are measured.
import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  buildPage,
  hasBrowser,
  launchBrowser,
  openPage,
  openRealHost,
  screenshot,
  type RealHost,
} from './browser.ts';

const patience = { timeout: 90_000 };
const axeSource = readFileSync(
  new URL('../../node_modules/axe-core/axe.min.js', import.meta.url),
  'utf8',
);
const mostTriangles = 5_000_000;
const mostCalls = 300;

describe.skipIf(!hasBrowser)('the scene view', () => {
  let browser: Browser;
  let built: Awaited<ReturnType<typeof buildPage>>;
  let host: RealHost;
  beforeAll(async () => {
    [built, browser] = await Promise.all([buildPage(), launchBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await built.remove();
  });
  beforeEach(async () => {
    host = await openRealHost(built.folder);
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await host.close();
  }, 60_000);

  async function openScene(
    sample: string,
    theme: 'dark' | 'light',
  ): Promise<{ page: Page; complaints: string[] }> {
    const opened = await openPage(browser, theme);
    const { page } = opened;
    await page.goto(host.web.address);
    await page.locator('[data-test=nav-scene]').click();
    await page.locator(`[data-test=open-${sample}]`).click(patience);
    await settled(page);
    return opened;
  }

  /** Everything has come, and nothing is left to refine. */
  async function settled(page: Page): Promise<{ triangles: number; calls: number }> {
    const figures = page.locator('[data-test=scene-figures]');
    await figures.waitFor(patience);
    await page.locator('[data-test=scene-figures][data-settled=true]').waitFor(patience);
    return {
      triangles: Number(await figures.getAttribute('data-triangles')),
      calls: Number(await figures.getAttribute('data-calls')),
    };
  }

  async function camera(page: Page, name: 'Orbit' | 'Fly' | 'Top'): Promise<void> {
    const cameras = page.getByRole('group', { name: 'Camera' });
    await cameras.getByRole('button', { name }).click();
  }

  const label = (page: Page, name: string): Locator =>
    page.locator('.label.name:visible', { hasText: new RegExp(`^${name}$`) });

  /** The lower edge of a label is the place that it names. */
  async function placeOf(page: Page, name: string): Promise<{ x: number; y: number }> {
    const box = await label(page, name).boundingBox();
    if (box === null) throw new Error(`no label ${name} in sight`);
    return { x: box.x + box.width / 2, y: box.y + box.height };
  }

  it('opens the clearing and tells what was clicked', async () => {
    const { page, complaints } = await openScene('clearing', 'light');
    await screenshot(page, 'scene-clearing-light');
    const crown = await placeOf(page, 'oak-a');
    await page.mouse.click(crown.x, crown.y + 70);
    const card = page.locator('[data-test=object-card]');
    await card.getByRole('heading', { name: 'oak-a' }).waitFor(patience);
    const text = (await card.innerText()).replace(/\s+/g, ' ');
    expect(text).toContain('Class tree');
    expect(text).toContain('Triangles 317,648');
    expect(text).toMatch(/Material (leaf|bark) Reflectance (50|30) %/);
    expect(text).toContain('Stands at -1.00, -1.00, 0.00 m');
    await page.locator('[data-test=scene-canvas]').focus();
    await page.keyboard.press('KeyF');
    await settled(page);
    await screenshot(page, 'scene-selected-light');
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('moves a tree by its handles, at once and in the text', async () => {
    const { page, complaints } = await openScene('clearing', 'dark');
    const crown = await placeOf(page, 'oak-a');
    await page.mouse.click(crown.x, crown.y + 70);
    const card = page.locator('[data-test=object-card]');
    await card.getByRole('heading', { name: 'oak-a' }).waitFor(patience);
    await camera(page, 'Top');
    await card.getByRole('button', { name: 'Frame' }).click();
    await page.waitForTimeout(600);
    await card.getByRole('button', { name: 'Move' }).click();
    await settled(page);
    await screenshot(page, 'scene-handles-dark');
    const canvas = await page.locator('[data-test=scene-canvas]').boundingBox();
    const [x, y] = [
      (canvas?.x ?? 0) + (canvas?.width ?? 0) / 2,
      (canvas?.y ?? 0) + (canvas?.height ?? 0) / 2,
    ];
    await page.mouse.move(x - 60, y);
    await page.mouse.down();
    await page.mouse.move(x - 110, y, { steps: 4 });
    await page.mouse.move(x - 160, y, { steps: 4 });
    await page.mouse.up();
    const eastM = async (): Promise<number> => {
      const stands = /Stands at\s+(-?[\d.]+), -1\.00, 0\.00 m/.exec(await card.innerText());
      return Number(stands?.[1] ?? Number.NaN);
    };
    await expect.poll(eastM, patience).toBeLessThan(-1.4);
    await screenshot(page, 'scene-moved-dark');
    await page.keyboard.press('Control+KeyZ');
    await expect.poll(eastM, patience).toBe(-1);
    expect(complaints).toEqual([]);
  }, 120_000);

  it('measures what is known', async () => {
    const { page, complaints } = await openScene('box', 'dark');
    await camera(page, 'Top');
    await page.locator('[data-test=scene-canvas]').focus();
    await page.keyboard.press('KeyF');
    await page.waitForTimeout(600);
    await settled(page);
    await page.locator('[data-test=measure]').click();
    const [sphere, box] = [await placeOf(page, 'sphere'), await placeOf(page, 'box')];
    await page.mouse.click(sphere.x, sphere.y);
    await page.mouse.click(box.x, box.y);
    await page.mouse.click(box.x + 60, box.y);
    const legs = page.locator('[data-test=leg]');
    await expect.poll(() => legs.count(), patience).toBe(2);
    const numbers = async (leg: number): Promise<number[]> => {
      const cells = await legs.nth(leg).locator('td').allInnerTexts();
      return cells.map((cell) => Number.parseFloat(cell));
    };
    // From the sphere's top (-8, 0, 2) to the cube's (5.5, 0, 1.5) and down. A pixel is a few centimetres here.
    const [distanceM = 0, horizontalM = 0, verticalM = 0] = await numbers(0);
    expect(Math.abs(horizontalM - 13.5)).toBeLessThan(0.25);
    expect(Math.abs(verticalM + 0.5)).toBeLessThan(0.03);
    expect(distanceM).toBeCloseTo(Math.hypot(horizontalM, verticalM), 1);
    expect((await numbers(1))[2]).toBeCloseTo(-1.5, 3);
    await screenshot(page, 'scene-measure-dark');
    expect(await faultsOf(page)).toEqual([]);
    await page.locator('[data-test=scene-canvas]').focus();
    await page.keyboard.press('Escape');
    await expect.poll(() => legs.count()).toBe(0);
    await page.locator('[data-test=close-scene]').click();
    await page.locator('[data-test=open-box]').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  }, 120_000);

  it('keeps the courtyard within its budget at every camera', async () => {
    const { page, complaints } = await openScene('courtyard', 'dark');
    await page
      .getByRole('group', { name: 'Level of detail' })
      .getByRole('button', { name: 'Full detail' })
      .click();
    const seen: { triangles: number; calls: number }[] = [];
    const look = async (name: string): Promise<void> => {
      await page.waitForTimeout(300);
      seen.push(await settled(page));
      await screenshot(page, `scene-courtyard-${name}`);
    };
    await look('dark');
    await page.locator('[data-test=scene-canvas]').focus();
    await page.keyboard.press('KeyF');
    await page.waitForTimeout(600);
    await look('whole-dark');
    await camera(page, 'Top');
    await look('top-dark');
    await camera(page, 'Orbit');
    await page.locator('[data-test=theme]').click();
    await page.locator('[data-test=scene-canvas]').focus();
    for (let press = 0; press < 12; press += 1) await page.keyboard.press('Equal');
    await look('near-light');
    for (const { triangles, calls } of seen) {
      expect(triangles).toBeGreaterThan(100_000);
      expect(triangles).toBeLessThanOrEqual(mostTriangles);
      expect(calls).toBeLessThanOrEqual(mostCalls);
    }
    expect(Math.max(...seen.map(({ triangles }) => triangles))).toBeGreaterThan(2_000_000);
    expect(complaints).toEqual([]);
  }, 240_000);
});

/** What axe finds wrong with the panel. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    interface Axe {
      run: (at: unknown) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
    }
    const { axe } = globalThis as unknown as { axe: Axe };
    const { violations } = await axe.run({ include: [['[data-panel=scene-view]']] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  });
}
