// A scene on screen, as several tests use it: open a sample, wait for its view, find parts in it.
import type { Locator, Page } from 'playwright-core';
import type { App, Theme } from './app.ts';

export interface Place {
  x: number;
  y: number;
}

/** A sample of the first page's, with its picture at rest. */
export async function openScene(app: App, sample: string, theme: Theme): Promise<Page> {
  const page = await app.open(theme, { at: 'scene' });
  await page.getByTestId(`open-${sample}`).click();
  await settled(page);
  return page;
}

/** Everything has come, and nothing is left to refine. */
export async function settled(page: Page): Promise<{ triangles: number; calls: number }> {
  const metrics = page.getByTestId('scene-metrics');
  await metrics.and(page.locator('[data-settled=true]')).waitFor();
  return {
    triangles: Number(await metrics.getAttribute('data-triangles')),
    calls: Number(await metrics.getAttribute('data-calls')),
  };
}

export async function chooseCamera(page: Page, name: 'Orbit' | 'Fly' | 'Top'): Promise<void> {
  const tools = page.getByRole('toolbar', { name: 'Scene view' });
  await tools.getByRole('button', { name }).click();
}

/** The lower edge of a label is the place that it names. */
export async function placeOf(page: Page, name: string): Promise<Place> {
  const labels = page.locator('.label.name:visible', { hasText: new RegExp(`^${name}$`) });
  const box = await labels.boundingBox();
  if (box === null) throw new Error(`no label ${name} in sight`);
  return { x: box.x + box.width / 2, y: box.y + box.height };
}

/** A place of the picture: shares of its width and height from its upper left. */
export async function placeInPicture(page: Page, right: number, down: number): Promise<Place> {
  const box = await page.getByTestId('scene-canvas').boundingBox();
  if (box === null) throw new Error('there is no picture');
  return { x: box.x + right * box.width, y: box.y + down * box.height };
}

/** A part in the list of a scene's contents, by its path in the document. */
export function part(page: Page, path: string): Locator {
  return page.getByTestId(`part-${path}`);
}

/** The document as it is saved. */
export function textOf(page: Page): Promise<string> {
  return page.getByTestId('scene-text').inputValue();
}

export interface Eye {
  positionM: [number, number, number];
  yawRad: number;
  /** Above the level. */
  upRad: number;
}

/** Where the camera is and looks, as the line for the command line has it. */
export async function eyeOf(page: Page): Promise<Eye> {
  const tools = page.getByRole('toolbar', { name: 'Scene view' });
  const line = (await tools.getByTestId('copy').getAttribute('title')) ?? '';
  const [x = 0, y = 0, z = 0, yawDeg = 0, pitchDeg = 0] =
    /--camera (\S+)/.exec(line)?.[1]?.split(',').map(Number) ?? [];
  return {
    positionM: [x, y, z],
    yawRad: (yawDeg * Math.PI) / 180,
    upRad: (-pitchDeg * Math.PI) / 180,
  };
}

/** Half of the vertical field of view of the page's camera. */
const halfViewRad = (25 * Math.PI) / 180;

/** Where places of the world are in the view, as long as the camera rests. Before edits: then there is no command line. */
export async function projectionOf(page: Page): Promise<(placeM: readonly number[]) => Place> {
  const { positionM, yawRad, upRad } = await eyeOf(page);
  const canvas = await page.getByTestId('scene-canvas').boundingBox();
  if (canvas === null) throw new Error('there is no view');
  return ([x = 0, y = 0, z = 0]) => {
    const [dx, dy, dz] = [x - positionM[0], y - positionM[1], z - positionM[2]];
    const level = dx * Math.cos(yawRad) + dy * Math.sin(yawRad);
    const right = dx * Math.sin(yawRad) - dy * Math.cos(yawRad);
    const forward = level * Math.cos(upRad) + dz * Math.sin(upRad);
    const up = dz * Math.cos(upRad) - level * Math.sin(upRad);
    const pixels = canvas.height / 2 / Math.tan(halfViewRad) / forward;
    return {
      x: canvas.x + canvas.width / 2 + right * pixels,
      y: canvas.y + canvas.height / 2 - up * pixels,
    };
  };
}

/** Drags with the left button, as a hand does. */
export async function drag(page: Page, from: Place, to: Place): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
}
