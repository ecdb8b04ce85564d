// The form of a drive, and drives and playbacks on screen, as several tests use them.
import type { Locator, Page } from 'playwright-core';
import { openAtEdge } from './app.ts';

export interface DriveForm {
  scenario?: string;
  sensor?: string;
  seed?: string;
  seconds?: string;
  /** 1: in real time, for what is to be watched or stopped: a fast machine arrives too soon. */
  speed?: string;
}

export async function fillDrive(page: Page, form: DriveForm): Promise<void> {
  const { scenario, sensor, seed, seconds, speed } = form;
  await openAtEdge(page, 'Start a drive');
  if (scenario !== undefined) await page.getByTestId('scenario').selectOption(scenario);
  if (sensor !== undefined) await page.getByTestId('sensor').selectOption(sensor);
  if (seed !== undefined) await page.getByTestId('seed').fill(seed);
  if (seconds !== undefined) await page.getByTestId('seconds').fill(seconds);
  if (speed !== undefined) await page.getByTestId('start-speed').selectOption(speed);
}

export async function startDrive(page: Page, form: DriveForm = {}): Promise<void> {
  await fillDrive(page, form);
  await page.getByTestId('start').click();
}

/** The latest run, once the list at the edge shows it so. */
export async function latestRun(
  page: Page,
  status: 'running' | 'finished' | 'cancelled',
): Promise<Locator> {
  const row = page.getByTestId(`run-${status}`);
  await row.waitFor({ state: 'attached' });
  await openAtEdge(page, 'Latest runs');
  await row.waitFor();
  return row;
}

/** A metric of a drive that is watched, by its label; NaN before it has come. */
export async function metric(page: Page, label: string, drive = 1): Promise<number> {
  const metrics = page.getByTestId(`drive-${drive}`).getByTestId('metrics');
  const tile = metrics.locator('> div', { hasText: label });
  return Number.parseFloat(await tile.locator('dd').innerText());
}

export function simSeconds(page: Page, drive = 1): Promise<number> {
  return metric(page, 'Simulated time', drive);
}

/** The time of a playback, s. */
export async function timeShown(playback: Locator | Page): Promise<number> {
  return Number.parseFloat(await playback.getByTestId('time').innerText());
}

/** Asserts that a metric stops changing: the tick under way may still arrive. Returns it. */
export async function steady(page: Page, read: () => Promise<number>): Promise<number> {
  let before = await read();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await page.waitForTimeout(500);
    const now = await read();
    if (now === before) return now;
    before = now;
  }
  throw new Error(`still changing, at ${before}`);
}
