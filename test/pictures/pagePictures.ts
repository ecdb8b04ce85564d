// Makes the pictures of the app that README and the manual show (assets/pictures), in a real browser with the real host.
// `npm run pictures [PART …]` makes those whose names have one of the parts.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { buildPage, launchBrowser, openPage, openRealHost } from '../e2e/browser.ts';
import { simSeconds } from '../e2e/drives.ts';
import { settled } from '../e2e/scenes.ts';
import { projectRoot } from '../stages.ts';
import { weatherPage } from './weatherMaps.ts';

const target = join(projectRoot, 'assets/pictures');

/** Each leaves its page as it is to be seen. */
const pictures: Record<string, { theme: 'dark' | 'light'; show: (page: Page) => Promise<void> }> = {
  scene: { theme: 'dark', show: showScene },
  pulse: { theme: 'dark', show: showPulse },
  'live-drive': { theme: 'dark', show: showDrives },
  'campaigns-page': { theme: 'light', show: showCampaign },
};

const wanted = process.argv.slice(2);
const chosen = Object.entries(pictures).filter(
  ([name]) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
const [built, browser] = [await buildPage(), await launchBrowser()];
const host = await openRealHost(built.folder);
if (wanted.length === 0 || wanted.some((part) => 'weather'.includes(part))) await takeWeather();
for (const [name, { theme, show }] of chosen) {
  const { page } = await openPage(browser, theme);
  await page.goto(host.web.address);
  await page.getByText('Connected', { exact: true }).waitFor();
  await show(page);
  await page.screenshot({ path: join(target, `${name}.png`) });
  await page.context().close();
  console.log(name);
}
await browser.close();
await host.close();
await built.remove();

async function takeWeather(): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 960, height: 700 } });
  await page.setContent(await weatherPage(host));
  await page.locator('main').screenshot({ path: join(target, 'weather.png') });
  await page.close();
  console.log('weather');
}

/** The courtyard, and a scan of an HDL-64E at the place where drives start. */
async function showScene(page: Page): Promise<void> {
  await openCourtyard(page);
  await page.getByRole('tab', { name: 'Scans' }).click();
  await page.getByTestId('scan-once').click();
  await page.getByTestId('scans').locator('li').waitFor();
  await settled(page);
}

/** Its pulse in the middle of the scan. */
async function showPulse(page: Page): Promise<void> {
  await showScene(page);
  await page.getByTestId('look-into-pulse').click();
  await page.getByTestId('range-label').waitFor();
  await page.waitForTimeout(2000);
  await settled(page);
}

async function openCourtyard(page: Page): Promise<void> {
  await page.getByTestId('nav-scene').click();
  await page.getByTestId('open-courtyard').click();
  await settled(page);
}

/** Drives of two sensors, ten simulated seconds after the start. */
async function showDrives(page: Page): Promise<void> {
  // Why smaller: points do not compress, and a picture of them is to stay below a megabyte.
  await page.setViewportSize({ width: 1180, height: 740 });
  await page.getByTestId('scenario').selectOption('courtyard');
  await page.getByTestId('sensor').selectOption('vlp-16');
  await page.getByTestId('add-sensor').click();
  await page.getByTestId('sensor-2').selectOption('hdl-32e');
  await page.getByTestId('start').click();
  await page.getByTestId('drive-2').getByTestId('metrics').waitFor();
  // NaN until it moves.
  while (!((await simSeconds(page, 2)) >= 10)) await page.waitForTimeout(500);
}

async function showCampaign(page: Page): Promise<void> {
  await page.getByTestId('nav-campaigns').click();
  await page.getByTestId('campaign-sensor-density').click();
  await page.getByTestId('start-campaign').click();
  await page.getByText('30 of 30 done').waitFor();
  await page.getByRole('tab', { name: 'Results' }).click();
  await page
    .getByRole('group', { name: 'View of the results' })
    .getByRole('button', { name: 'Heat map' })
    .click();
  await page.getByTestId('plot-measure').selectOption('grassShare');
  await page.getByText('mean of the runs of each cell').waitFor();
  await page.waitForTimeout(1000);
}
