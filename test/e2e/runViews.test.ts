// The view of a run: its scene under the cloud, cameras that go with the vehicle, and layers that fade.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { screenshot } from './browser.ts';
import { startDrive, timeShown } from './drives.ts';
import { driveRun } from './realRuns.ts';

/** Limits of any view. */
const [maxCalls, maxTriangles] = [400, 5_000_000];
/** More than cloud, map, paths and vehicle take; the models of the clearing are at least so many calls more. */
const callsWithoutScene = 22;

describeApp('the view of a run', (app) => {
  const drawn = async (note: Locator): Promise<{ triangles: number; calls: number }> => ({
    triangles: Number(await note.getAttribute('data-triangles')),
    calls: Number(await note.getAttribute('data-calls')),
  });
  const camera = (page: Page, name: string): Locator =>
    page.getByRole('group', { name: 'Camera' }).getByRole('button', { name });
  const isChosen = (button: Locator): Promise<string | null> => button.getAttribute('aria-pressed');

  it('of a drive follows the vehicle until the camera is dragged, through its scene', async () => {
    const page = await app.open('light');
    await startDrive(page, { scenario: 'clearing', sensor: 'vlp-16', speed: '0.25' });
    const note = page.getByTestId('view-note');
    await eventually(async () => (await drawn(note)).triangles).toBeGreaterThan(10_000);
    const { triangles, calls } = await drawn(note);
    expect(triangles).toBeLessThanOrEqual(maxTriangles);
    expect(calls).toBeLessThanOrEqual(maxCalls);
    await eventually(() => isChosen(camera(page, 'Chase'))).toBe('true');
    await screenshot(page, 'drive-chase');

    const {
      x = 0,
      y = 0,
      width = 0,
      height = 0,
    } = (await page.getByTestId('canvas').boundingBox()) ?? {};
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width / 2 + 60, y + height / 2 + 10, { steps: 4 });
    await page.mouse.up();
    await eventually(() => isChosen(camera(page, 'Orbit'))).toBe('true');
    await camera(page, 'On board').click();
    await eventually(() => isChosen(camera(page, 'On board'))).toBe('true');
    await screenshot(page, 'drive-aboard');
  });

  it('of a recorded run goes to its collisions on the timeline', async () => {
    // Nothing is an obstacle for this planner: the vehicle drives straight on through a tree.
    const settings = ['navigation.costMap.maxHeightM=1000'];
    await driveRun(app.host, {
      scenario: 'clearing',
      sensor: 'vlp-16',
      seconds: 9,
      seed: 1,
      settings,
    });
    const page = await app.open('dark', { at: 'runs' });
    await page.getByTestId('row-finished').dblclick();
    const run = page.getByTestId('run-page');
    await run.getByTestId('moment').waitFor();
    const first = run.getByTestId('event-collision').first();
    await first.waitFor({ state: 'attached' });
    const title = await first.locator('title').textContent();
    await page.locator('body').press('Home');
    await page.locator('body').press('e');
    const atS = Number(/at ([\d.]+) s/.exec(title ?? '')?.[1]);
    await eventually(() => timeShown(run)).toBe(atS);
    await page.waitForTimeout(1500);
    await screenshot(page, 'run-collision-dark');
  });

  it('of a recorded run goes to its plans of another route on the timeline', async () => {
    const runId = await driveRun(app.host, {
      scenario: 'courtyard',
      sensor: 'vlp-16',
      seconds: 12,
      seed: 1,
    });
    const page = await app.open('dark', { at: `runs/${runId}` });
    const run = page.getByTestId('run-page');
    await run.getByTestId('moment').waitFor();
    const first = run.getByTestId('event-plan').first();
    await first.waitFor({ state: 'attached' });
    const title = (await first.locator('title').textContent()) ?? '';
    expect(title).toMatch(/^Other route at [\d.]+ s, up to [\d.]+ m away$/);
    await page.locator('body').press('Home');
    await page.locator('body').press('e');
    await eventually(() => timeShown(run)).toBe(Number(/at ([\d.]+) s/.exec(title)?.[1]));
    await page.waitForTimeout(1500);
    await screenshot(page, 'run-plan-dark');
  });

  it('of a recorded run fades and hides the scene', async () => {
    const runId = await driveRun(app.host, { scenario: 'clearing', sensor: 'vlp-16', seconds: 2 });
    const page = await app.open('dark', { at: `runs/${runId}` });
    const note = page.getByTestId('view-note');
    await eventually(async () => (await drawn(note)).triangles).toBeGreaterThan(100_000);
    await page.getByTestId('settings-toggle').click();
    const opacity = page.getByTestId('opacity-scene');
    await opacity.fill('0.4');
    await screenshot(page, 'replay-faded');
    await opacity.fill('0');
    await eventually(async () => (await drawn(note)).triangles).toBeLessThan(10_000);
    expect((await drawn(note)).calls).toBeLessThanOrEqual(callsWithoutScene);
  });
});
