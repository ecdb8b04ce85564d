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
