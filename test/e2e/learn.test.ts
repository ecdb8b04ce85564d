// The Learn page: a drive becomes a log, the log a model; the model is looked at beside its log, judged by the log of
// another drive, and placed in a scene that a vehicle can drive through.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, openAtEdge } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { faultsInSight } from './cutOff.ts';
import { drawnNow, recordDrawnParts } from './drawnParts.ts';
import { callHost, driveRun } from './realRuns.ts';
import { settled } from './scenes.ts';
import { expectRoom } from './viewRoom.ts';

const allPanels = ['learn-logs', 'learn-view', 'learn-form'];
const settings = ['recording.misses=true'];

/** A yard with shrubs and a wall, at UTM coordinates and 120 m above the sea. */
const farYard = `
understory: 2
name: far yard
scene:
  origin: [500000, 5400000, 120]
  crs: EPSG:25832
  materials:
    soil: { reflectance: 0.25, colour: '#6e5a41' }
    plaster: { reflectance: 0.4, colour: '#a89f91' }
    leaf: { reflectance: 0.5, colour: '#3f7a2e' }
    bark: { reflectance: 0.3, colour: '#6b5138' }
  models:
    shrub: { kind: plant, plant: potted-shrub }
    wall: { kind: box, sizeM: [0.4, 16, 2.5], material: plaster }
  ground: { kind: plane, sizeM: [40, 40], centreM: [500000, 5400000], zM: 120, material: soil }
  instances:
    - { name: wall, model: wall, positionM: [500009, 5400000, 1.25] }
    - { name: shrub-a, model: shrub, positionM: [500004, 5400003, 0] }
    - { name: shrub-b, model: shrub, positionM: [500005, 5399997, 0] }
    - { name: shrub-c, model: shrub, positionM: [500002, 5400005, 0] }
sensors: [{ name: lidar, sensor: vlp-16, mount: { positionM: [0, 0, 2] } }]
mission: { startM: [499994, 5400000], startYawDeg: 0, goalM: [500006, 5400000] }
`;

describeApp('learning', (app) => {
  const drive = (seed: number): Promise<string> =>
    driveRun(app.host, { scenario: 'clearing', sensor: 'vlp-16', seconds: 1.5, seed, settings });

  /** Imports a run whose seed is in its line. */
  async function importRun(page: Page, runId: string): Promise<void> {
    await page.getByTestId('import-log').click();
    await page.getByTestId('import-run').selectOption(runId);
    await page.getByTestId('import-range-to').fill('60');
    await page.getByTestId('import-range-from').fill('0.5');
    await page.getByTestId('import-confirm').click();
    await page.getByTestId('import-confirm').waitFor({ state: 'detached' });
  }

  const shownText = (page: Page, id: string): Promise<string> => page.getByTestId(id).innerText();

  /** The place in the world that a click means, at shares of the view's width and height; null: nothing is there. */
  async function clickedPlace(page: Page, right: number, down: number): Promise<number[] | null> {
    const box = await page.getByTestId('learn-canvas').boundingBox();
    if (box === null) throw new Error('there is no view');
    const place = page.locator('[data-panel=learn-ranges] p b');
    const placeText = async (): Promise<string> => (await place.allInnerTexts()).join('');
    const before = await placeText();
    await page.mouse.click(box.x + right * box.width, box.y + down * box.height);
    const missed = page.getByText('No point there.');
    const isShown = async (): Promise<boolean> =>
      (await missed.count()) > 0 || (await placeText()) !== before;
    // Otherwise it is the same place again.
    await expect
      .poll(isShown, { timeout: 5000 })
      .toBe(true)
      .catch(() => undefined);
    if ((await missed.count()) > 0) return null;
    return (await placeText()).split(', ').map(Number);
  }

  /** Clicks points of the log until one is met, from the middle of its half on. */
  async function clickLog(page: Page): Promise<void> {
    const box = await page.getByTestId('learn-canvas').boundingBox();
    if (box === null) throw new Error('there is no view');
    for (const [right, down] of [
      [0.25, 0.55],
      [0.22, 0.6],
      [0.28, 0.62],
      [0.3, 0.5],
    ] as const) {
      await page.mouse.click(box.x + right * box.width, box.y + down * box.height);
      const isMet = await page
        .getByTestId('place-table')
        .waitFor({ timeout: 5000 })
        .then(
          () => true,
          () => false,
        );
      if (isMet) return;
    }
    throw new Error('no click met a point of the log');
  }

  it('leads from a drive to a model beside its log', async () => {
    const first = await drive(1);
    const page = await app.open('light', { at: 'learn', before: recordDrawnParts });
    await page.getByText('No log yet').waitFor();
    expect(await faultsOf(page, allPanels)).toEqual([]);
    await screenshot(page, 'learn-empty-light');
    expect(await page.getByRole('button', { name: 'Import log' }).count()).toBe(1);

    await page.getByTestId('import-log').click();
    await page.getByTestId('import-run').waitFor();
    await screenshot(page, 'learn-import-light');
    await page.getByTestId('import-from-file').check();
    await page.getByTestId('import-details').click();
    await page.getByTestId('import-max-range').fill('-1');
    await page.getByText('expected above 0').waitFor();
    await page.getByTestId('import-max-range').fill('');
    await page.getByTestId('import-cloud').scrollIntoViewIfNeeded();
    await screenshot(page, 'learn-import-details-light');
    await page.getByRole('radio', { name: 'Run', exact: true }).check();
    await page.getByTestId('import-run').waitFor();
    await page.keyboard.press('Escape');
    await importRun(page, first);
    await eventually(() => shownText(page, 'log-text')).toMatch(/returns/);
    const points = /([\d.]+ ?[kM]?) returns/.exec(await shownText(page, 'log-text'))?.[1];
    expect(points).toBeDefined();

    await page.getByTestId('kind-voxel').check();
    // A value of the preset that is changed is in the command.
    await page.getByTestId('field-volume.minPoints').fill('8');
    await page.getByTestId('field-volume.minPoints').press('Tab');
    const copy = page.locator('[data-panel=learn-form]').getByTestId('copy');
    await eventually(() => copy.getAttribute('title')).toContain('--set volume.minPoints=8');
    await page.getByTestId('learn').click();
    await eventually(() => shownText(page, 'model-text')).toMatch(/voxel · [\d.]+ ?[kM]? elements/);
    await eventually(async () =>
      (await drawnNow(page)).instances.some((count) => count > 100),
    ).toBe(true);
    const keys = page.locator('.key.right');
    for (const [by, key] of [
      ['permeability', 'share that passes'],
      ['class', 'tree'],
      ['intensity', 'Intensity'],
      ['support', 'beams that observed it'],
    ] as const) {
      await page.getByTestId('model-by').selectOption(by);
      await keys.getByText(key).waitFor();
    }
    await screenshot(page, 'learn-model-light');
    expect(await faultsInSight(page)).toEqual([]);
    await page.locator('[data-test$=-hybrid].row').click();
    await eventually(() => shownText(page, 'model-text')).toMatch(
      /hybrid · .*elements · .*triangles/,
    );

    await clickLog(page);
    const rows = page.getByTestId('place-table').locator('tbody tr');
    await eventually(() => rows.count()).toBe(3);
    const shownPanels = ['learn-logs', 'learn-models', 'learn-view'];
    expect(await faultsOf(page, [...shownPanels, 'learn-ranges'])).toEqual([]);
    await page.locator('[data-panel=learn-ranges]').getByTestId('histogram').waitFor();
    await page.getByTestId('place-radius').fill('0.3');
    await page.getByTestId('place-radius').press('Tab');
    await page
      .getByRole('group', { name: 'Right half' })
      .getByRole('button', { name: 'Simulation' })
      .click();
    await eventually(() => shownText(page, 'model-text')).toMatch(/returns \(log: /);
    await screenshot(page, 'learn-simulation-light');
  });

  it('judges models by the log of another drive, and places one in a scene that a vehicle drives', async () => {
    const folder = app.host.dataFolder;
    const logs = [join(folder, 'logs/first.log'), join(folder, 'logs/second.log')] as const;
    for (const [index, out] of logs.entries()) {
      await callHost(app.host, 'log.import', { source: await drive(index + 1), out });
    }
    for (const model of ['voxel', 'hybrid'] as const) {
      const out = join(folder, `models/site-${model}.ply`);
      await callHost(app.host, 'learn.start', { logs: [logs[0]], model, out });
    }
    const page = await app.open('light', { at: 'learn' });
    await page.getByTestId('log-second').click();
    await page.getByRole('tab', { name: 'Models', exact: true }).click();
    await page.getByTestId('model-site-voxel').click();
    await page.getByTestId('model-site-hybrid').click();
    await eventually(() => shownText(page, 'model-text')).toMatch(/hybrid · .*triangles/);
    await page.getByRole('tab', { name: 'Metrics', exact: true }).click();
    await page.getByTestId('evaluate').click();
    await page.getByTestId('metrics-table').waitFor();
    const hits = page.getByTestId('metrics-table').locator('tr', { hasText: 'Hits detected' });
    for (const cell of await hits.locator('td:not(.muted)').allInnerTexts()) {
      // Another seed of the same drive: a model that learned anything returns most of its hits.
      expect(Number.parseFloat(cell)).toBeGreaterThan(50);
    }
    const shownPanels = ['learn-logs', 'learn-models', 'learn-view'];
    expect(await faultsOf(page, [...shownPanels, 'learn-metrics'])).toEqual([]);
    await screenshot(page, 'learn-metrics-light');

    const command = page.locator('[data-panel=learn-models]').getByTestId('copy');
    expect(await command.getAttribute('title')).toContain(
      `scenario add-model ${join(folder, 'models/site-hybrid.ply')} --log ${logs[1]} --out `,
    );
    await page.getByTestId('add-to-scene').click();
    await settled(page);
    await eventually(() => page.url()).toContain('#/scene');
    await page.getByTestId('part-scene.instances[0]').waitFor();
    await page.evaluate(() => (location.hash = '#/learn'));
    // A model that the open scenario lacks can be added to it, or to a new one.
    await page.getByTestId('model-site-voxel').click();
    await eventually(() => command.count()).toBe(2);
    const voxel = `scenario add-model ${join(folder, 'models/site-voxel.ply')}`;
    expect(await command.first().getAttribute('title')).toContain(`${voxel} --to `);
    expect(await command.last().getAttribute('title')).toContain(`${voxel} --log ${logs[1]} `);
    await page.getByTestId('model-site-hybrid').click();
    await page.getByTestId('drive-model').click();
    await eventually(() => page.url()).toContain('#/drive');
    await eventually(() => page.getByTestId('scenario').inputValue()).toContain(
      'hybrid.understory.yaml',
    );
    await page.getByTestId('seconds').fill('0.5');
    await page.getByTestId('start').click();
    await eventually(() => page.getByTestId('run-finished').count()).toBe(3);
  });

  it('shows logs and models in the dark theme, and refuses what it cannot read', async () => {
    const run = await drive(3);
    const page = await app.open('dark', { at: 'learn' });
    await importRun(page, run);
    await page.getByTestId('learn').click();
    await eventually(() => shownText(page, 'model-text')).toMatch(/elements/);
    await eventually(() => page.getByTestId('add-to-scene').count()).toBe(1);
    const shownPanels = ['learn-logs', 'learn-models', 'learn-view'];
    expect(await faultsOf(page, shownPanels)).toEqual([]);
    await clickLog(page);
    await screenshot(page, 'learn-dark');
    await page.locator('[data-panel=learn-ranges]').getByTestId('fold-panel').click();
    await page.setViewportSize({ width: 1024, height: 700 });
    await page.locator('body').press('b');
    await page.getByTestId('clip-line').waitFor();
    await expectRoom(page.getByTestId('learn-canvas'), 0.3);
    // Soon: panels take the size of another window in a later frame.
    await eventually(() => faultsInSight(page)).toEqual([]);
    await screenshot(page, 'learn-small-dark');
    await page.locator('body').press('b');
    await page.setViewportSize({ width: 1440, height: 860 });
    expect(await faultsOf(page, [...shownPanels, 'learn-ranges'])).toEqual([]);
    await openAtEdge(page, 'Logs');
    await page.getByTestId('open-log').click();
    await page.getByTestId('open-log-path').fill('/nowhere/x.log');
    await page.keyboard.press('Enter');
    await page.locator('[data-panel=learn-logs]').getByText('no file').waitFor();
    // The choice survives a reload.
    await page.reload();
    await eventually(() => shownText(page, 'model-text')).toMatch(/hybrid/);
  });

  it('shows a log and a hybrid model at UTM coordinates on each other', async () => {
    const folder = app.host.dataFolder;
    const scenario = join(folder, 'far.understory.yaml');
    await writeFile(scenario, farYard);
    const run = await driveRun(app.host, { scenario, seconds: 1, settings });
    const log = join(folder, 'logs/far.log');
    await callHost(app.host, 'log.import', { source: run, out: log });
    const model = join(folder, 'models/far-hybrid.ply');
    await callHost(app.host, 'learn.start', { logs: [log], model: 'hybrid', out: model });
    const page = await app.open('light', { at: 'learn' });
    await eventually(() => shownText(page, 'model-text')).toMatch(/elements · .*triangles/);
    await page.getByTestId('model-by').selectOption('height');
    await eventually(() => page.locator('.key.right').innerText()).toMatch(/1(19|20)\.\d/);
    const awaysM: number[] = [];
    const right = 0.25;
    // Up the middle of the log's half, across its rings: what is near is seen from steeply above. The panel of the first place
    // makes the view smaller.
    await clickedPlace(page, right, 0.55);
    for (let down = 0.73; down > 0.4 && awaysM.length < 2; down -= 0.03) {
      const onLog = await clickedPlace(page, right, down);
      // The right half has the same camera.
      const onModel = await clickedPlace(page, right + 0.5, down);
      if (onLog === null || onModel === null) continue;
      for (const [axis, worldM] of [500_000, 5_400_000, 121].entries()) {
        expect(Math.abs((onLog[axis] ?? NaN) - worldM)).toBeLessThan(25);
      }
      awaysM.push(Math.hypot(...onLog.map((value, axis) => value - (onModel[axis] ?? NaN))));
    }
    await screenshot(page, 'learn-far-light');
    expect(awaysM.length).toBeGreaterThan(0);
    // A click on the log means a return up to 7 pixels away: 0.3 m across, 1 m along the ground.
    expect(Math.min(...awaysM)).toBeLessThan(1);

    await page.getByRole('tab', { name: 'Models', exact: true }).click();
    await page.getByTestId('add-to-scene').click();
    await settled(page);
    await eventually(() => page.url()).toContain('#/scene');
    const text = await readFile(join(folder, 'scenarios/far-hybrid.understory.yaml'), 'utf8');
    expect(text).toMatch(/origin: \[5000\d\d, 5(399|400)\d\d\d, 1(19|20)/);
    await screenshot(page, 'learn-far-scene-light');
  });
});
