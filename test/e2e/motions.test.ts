// Motions in the page: added as parts of a scene, edited by form and on the timeline, given to an object, renamed,
// deleted; and a scene that is shown and scanned at the time of the timeline.
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, focusOn } from './app.ts';
import { faultsOf } from './axe.ts';
import { screenshot } from './browser.ts';
import { startDrive } from './drives.ts';
import { callHost } from './realRuns.ts';
import { openScene, part, placeInPicture, placeOf, settled, textOf } from './scenes.ts';

/** The line of the text that begins with this, the rest of its flow mapping included. */
async function entryOf(page: Page, beginning: string): Promise<string> {
  const text = await textOf(page);
  const from = text.indexOf(beginning);
  return from === -1 ? '' : text.slice(from, text.indexOf('}\n', from));
}

describeApp('motions of a scene', (app) => {
  it('are added, changed to another kind, given to an object, renamed and deleted', async () => {
    const page = await openScene(app, 'crossing', 'light');
    const field = (name: string) => page.getByTestId(`field-${name}`);
    await page.getByTestId('add-part').selectOption('motion');
    await page.getByText('Click in the scene to place').waitFor();
    const place = await placeInPicture(page, 0.5, 0.6);
    await eventually(async () => {
      await page.mouse.click(place.x, place.y);
      return page.getByText('Click in the scene to place').count();
    }).toBe(0);
    await part(page, 'scene.motions.motion').waitFor();
    for (const kind of ['swinging', 'path', 'keyframes', 'rotating']) {
      await field('kind').selectOption(kind);
      await eventually(() => entryOf(page, '    motion: ')).toContain(`kind: ${kind}`);
      expect(await page.locator('.problem').allInnerTexts(), kind).toEqual([]);
    }
    for (const [index, value] of ['-17', '15', '0'].entries()) {
      await field(`pivotM.${index}`).fill(value);
      await field(`pivotM.${index}`).press('Tab');
    }
    await page.getByTestId('part-name').fill('spin');
    await page.getByTestId('part-name').press('Enter');
    await part(page, 'scene.motions.spin').waitFor();

    // An object stays where it is when it gets a motion, in the frame of which it is placed then.
    await settled(page);
    await part(page, 'scene.instances[3]').click();
    await field('motion').selectOption('spin');
    await eventually(() => entryOf(page, 'name: tree-b')).toContain(
      'positionM: [-17, 15, 0], yawDeg: 80, scale: 0.9, motion: spin',
    );
    await field('motion').selectOption('car-left');
    await eventually(() => entryOf(page, 'name: tree-b')).toContain(
      'positionM: [35, -15, 0], yawDeg: 170, scale: 0.9, motion: car-left',
    );
    await field('motion').selectOption('spin');
    await eventually(() => entryOf(page, 'name: tree-b')).toContain(
      'positionM: [-17, 15, 0], yawDeg: 80, scale: 0.9, motion: spin',
    );
    expect(await faultsOf(page, ['scene-view', 'scene-properties'])).toEqual([]);

    await part(page, 'scene.motions.spin').click();
    await page.getByTestId('delete').click();
    await page.getByText('Used by tree-b').waitFor();
    await page.getByTestId('delete-all').click();
    await part(page, 'scene.motions.spin').waitFor({ state: 'detached' });
    expect(await entryOf(page, 'name: tree-b')).not.toContain('motion');
    expect(await page.locator('.problem').allInnerTexts()).toEqual([]);
  });

  it('have keyframes on a timeline: added, drawn to another time, deleted, undone', async () => {
    const page = await openScene(app, 'crossing', 'dark');
    const timeline = page.getByTestId('timeline');
    const times = async (): Promise<string[]> => {
      const entry = await entryOf(page, '    car-left:');
      return [...entry.matchAll(/timeS: ([-\d.]+)/g)].map(([, time]) => time ?? '');
    };
    await part(page, 'scene.motions.car-left').click();
    await page.getByTestId('field-kind').selectOption('keyframes');
    await eventually(times).toEqual(['0', '5']);
    await page.getByTestId('next-keyframe').click();
    await page.getByTestId('next-keyframe').click();
    await page.getByTestId('field-timeS').fill('12');
    await page.getByTestId('field-timeS').press('Tab');
    await eventually(times).toEqual(['0', '12']);
    await timeline.fill('4');
    await settled(page);
    await page.getByTestId('add-keyframe').click();
    await eventually(times).toEqual(['0', '4', '12']);

    const mark = page.getByTestId('keyframe-1');
    const lane = await page.getByTestId('keyframes').boundingBox();
    const from = await mark.boundingBox();
    if (lane === null || from === null) throw new Error('there is no keyframe on the timeline');
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(lane.x + lane.width * 0.4, from.y, { steps: 4 });
    await page.mouse.up();
    await eventually(times).toEqual(['0', '8', '12']);
    await eventually(() => page.getByTestId('time').innerText()).toBe('8.00 / 20.00 s');
    // By keys too; a keyframe does not pass another.
    await mark.press('Shift+ArrowRight');
    await eventually(times).toEqual(['0', '9', '12']);
    await settled(page);
    await screenshot(page, 'motion-timeline-dark');
    expect(await faultsOf(page, ['scene-view', 'scene-properties'])).toEqual([]);
    await mark.press('Delete');
    await eventually(times).toEqual(['0', '12']);
    await page.keyboard.press('Control+z');
    await eventually(times).toEqual(['0', '9', '12']);
    // A key over the view adds one at the time that is shown.
    await timeline.fill('6');
    await settled(page);
    await focusOn(page.getByTestId('scene-canvas'));
    await page.keyboard.press('k');
    await eventually(times).toEqual(['0', '6', '9', '12']);
    await page.keyboard.press('Control+z');
    await eventually(times).toEqual(['0', '9', '12']);
  });

  it('show and scan the scene at the time of the timeline', async () => {
    const page = await openScene(app, 'crossing', 'light');
    const time = page.getByTestId('time');
    await eventually(() => time.innerText()).toBe('0.00 / 20.00 s');
    const before = await placeOf(page, 'walker-b');
    await page.getByTestId('timeline').fill('5');
    await settled(page);
    const after = await placeOf(page, 'walker-b');
    expect(Math.hypot(after.x - before.x, after.y - before.y)).toBeGreaterThan(5);
    await page.getByTestId('timeline').focus();
    await page.keyboard.press('ArrowRight');
    await eventually(() => time.innerText()).toBe('5.10 / 20.00 s');
    await page.getByTestId('play').click();
    await eventually(async () => Number.parseFloat(await time.innerText())).toBeGreaterThan(5.2);
    await page.getByTestId('play').click();
    await page.getByTestId('timeline').fill('5');

    await page.getByRole('tab', { name: 'Scans' }).click();
    await page.getByText('Starts at 5.00 s').waitFor();
    const copied = page.getByTestId('scans-panel').getByTestId('copy');
    await eventually(() => copied.getAttribute('title')).toContain('--from 5');
    await page.getByTestId('scan-once').click();
    const name = page.getByTestId('scans').getByRole('textbox');
    await eventually(() => name.inputValue()).toContain('at 5 s');
    await settled(page);
    await screenshot(page, 'motion-scan-light');
  });

  it('are boxes with names in a live drive and in its recording', async () => {
    const page = await app.open('dark', { at: 'drive' });
    const names = (within: Locator) => within.locator('.label.name:visible');
    await startDrive(page, { scenario: 'crossing', sensor: 'vlp-16', seconds: '0.6' });
    const live = page.getByTestId('drive-1');
    await eventually(() => names(live).allInnerTexts()).toContain('walker-b · person');
    const runs = async () => (await callHost(app.host, 'runs.list', { state: 'finished' })).runs;
    await eventually(async () => (await runs()).length).toBe(1);
    const id = (await runs())[0]?.id ?? '';

    await page.goto(`${app.host.web.address}#/runs/${id}`);
    const played = page.getByTestId('run-page');
    await eventually(() => names(played).allInnerTexts()).toContain('walker-b · person');
    await screenshot(page, 'moving-objects-dark');
    await played.getByTestId('settings-toggle').click();
    const toggle = played.getByRole('checkbox', { name: 'Moving objects' });
    await toggle.uncheck();
    await eventually(() => names(played).count()).toBe(0);
    await toggle.check();
    await eventually(() => names(played).count()).toBeGreaterThan(0);
  });
});
