// Clouds that are larger than the page: a saved scan and all returns of a run, each drawn by its octree within the budget
// of points, with what is left out.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { flatGround, placed, scenario } from '#test/support/documents.ts';
import { describeApp, eventually } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { drawnNow, recordDrawnParts } from './drawnParts.ts';
import { driveRun } from './realRuns.ts';

const mounted = (name: string, xM: number, yawDeg: number) => ({
  name,
  sensor: 'hdl-64e-s2',
  mount: { positionM: [xM, 0, 2] as [number, number, number], yawDeg },
});
const twoSensors = scenario({
  models: { box: { kind: 'box', sizeM: [3, 3, 5], material: 'grey' } },
  ground: flatGround(80),
  instances: [-20, -8, 8, 20].flatMap((xM) =>
    [-15, 15].map((yM) => placed('box', [xM, yM, 2.5], { name: `box-${xM}-${yM}`, class: 'tree' })),
  ),
  sensors: [mounted('front', 1, 0), mounted('rear', -1, 180)],
  mission: { startM: [-10, 0], startYawDeg: 0, goalM: [20, 0] },
});

describeApp('clouds that are larger than the page', (app) => {
  const textOf = (page: Page, id: string) => (): Promise<string> =>
    page.getByTestId(id).innerText();

  /** Waits until all that the camera needs of a cloud is drawn. Returns how many points of it that is, in thousands. */
  async function settledThousands(page: Page, id: string): Promise<number> {
    let before = '';
    await eventually(async () => {
      const now = await textOf(page, id)();
      const isSame = now === before && !/reading|sorting|sample/.test(now);
      before = now;
      return isSame;
    }).toBe(true);
    const [, count = '', unit] = /([\d.]+) ([kM]) of/.exec(before) ?? [];
    return Number(count) * (unit === 'M' ? 1000 : 1);
  }

  it('shows a saved scan by its octree, and by a sample where that has not its colours', async () => {
    const page = await app.open('light', { at: 'scene', before: recordDrawnParts });
    await page.getByRole('tab', { name: 'Sensor' }).click();
    await page.getByTestId('sensor-hdl-64e-s2').click();
    await page.getByTestId('open-clearing').click();
    await page.getByRole('tab', { name: 'Scans' }).click();
    await eventually(() => page.getByTestId('pose-xM').inputValue()).toBe('-9');
    await page.getByTestId('scan-seconds').fill('3');
    await page.getByTestId('scan-once').click();
    const part = textOf(page, 'scan-part');
    await eventually(part).toMatch(/ of 3\.91 M returns/);
    expect(await settledThousands(page, 'scan-part')).toBeLessThanOrEqual(430);
    // Nodes, no longer a sample in one draw.
    await eventually(async () => (await drawnNow(page)).points.length).toBeGreaterThan(10);
    await screenshot(page, 'scan-octree-light');
    expect(await faultsOf(page, ['scans'])).toEqual([]);

    await page.getByTestId('max-points').selectOption('1000000');
    await eventually(() => settledThousands(page, 'scan-part')).toBeGreaterThan(430);
    await page.getByTestId('scan-colour').selectOption('ring');
    await eventually(part).toMatch(
      /^977 k of 3\.91 M returns · a sample: all returns are coloured/,
    );
    await page.getByTestId('scan-colour').selectOption('height');
    expect(await settledThousands(page, 'scan-part')).toBeLessThanOrEqual(1000);
  });

  it('shows all returns of a run, of all sensors or of one, in place of those at a time', async () => {
    const file = join(app.host.dataFolder, 'scenarios', 'two.understory.yaml');
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, twoSensors);
    const runId = await driveRun(app.host, { scenario: file, seconds: 4 });
    const page = await app.open('light', { at: `runs/${runId}`, before: recordDrawnParts });
    const note = textOf(page, 'view-note');
    await page.getByTestId('colour-by').selectOption('ring');
    const at = textOf(page, 'moment');
    await eventually(at).toMatch(/ · \d+ k returns/);
    await page.getByTestId('returns-shown').selectOption('All returns');
    await eventually(note).toMatch(/ of \d+\.\d+ M returns/);
    expect(await settledThousands(page, 'view-note')).toBeLessThanOrEqual(430);
    // A ring is not known of them.
    expect(await page.getByTestId('colour-by').inputValue()).toBe('height');
    await screenshot(page, 'run-all-light');
    expect(await faultsOf(page, ['run'])).toEqual([]);
    await page.getByTestId('colour-by').selectOption('class');
    await page.getByRole('button', { name: 'Settings' }).click();
    await page.getByTestId('max-points').selectOption('2000000');
    await page.getByRole('button', { name: 'Settings' }).click();
    await eventually(() => settledThousands(page, 'view-note')).toBeGreaterThan(430);
    await screenshot(page, 'run-all-class-light');

    await page.getByTestId('returns-shown').selectOption('All returns of rear');
    await eventually(note).toMatch(/ of \d+(\.\d+ M| k) returns/);
    await settledThousands(page, 'view-note');
    await screenshot(page, 'run-all-rear-light');
    await page.getByTestId('returns-shown').selectOption('Returns at this time');
    await eventually(note).not.toContain('returns');
    await page.getByTestId('colour-by').selectOption('ring');

    // There are as many as before, although another number of them was chosen meanwhile.
    await eventually(async () => Math.max(...(await drawnNow(page)).points)).toBeGreaterThan(
      50_000,
    );
    // Those at a time know their sensors, which are shown by colour.
    await page.getByTestId('colour-by').selectOption('sensor');
    await eventually(textOf(page, 'legend')).toMatch(/front\s+rear/);
    await page.waitForTimeout(1000);
    await screenshot(page, 'run-sensors-light');
    expect(await faultsOf(page, ['run'])).toEqual([]);
  });
});
