// `npm run bench:page`: the speed of a drive with its page open and without, in pairs that alternate, in a real
// Chromium that draws in software. `--pairs` and `--seconds` (simulated, of each drive) say how much; `--json` prints
// every drive.
import { parseArgs } from 'node:util';
import { median } from '#domain/shared/statistics.ts';
import { buildPage, launchBrowser, openPage, openRealHost, type RealHost } from './browser.ts';
import { callHost, driveRun } from './realRuns.ts';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    scenario: { type: 'string', default: 'courtyard' },
    sensor: { type: 'string', default: 'vlp-16' },
  },
});
const { scenario, sensor, seconds } = values;

const built = await buildPage();
const host = await openRealHost(built.folder);
const browser = await launchBrowser();
try {
  await alone();
  const ratios: number[] = [];
  for (let pair = 0; pair < Number(values.pairs); pair += 1) {
    const order = pair % 2 === 0 ? [alone, watched] : [watched, alone];
    const factors = new Map<typeof alone, number>();
    for (const drive of order) factors.set(drive, await drive());
    const [without = NaN, withPage = NaN] = [factors.get(alone), factors.get(watched)];
    ratios.push(withPage / without);
    console.log(
      `pair ${pair + 1}: ${without.toFixed(3)} simulated s a second without the page, ` +
        `${withPage.toFixed(3)} with it, ratio ${(withPage / without).toFixed(3)}`,
    );
  }
  console.log(
    `median ratio ${median(ratios).toFixed(3)} (${scenario}, ${sensor}, ${seconds} s each)`,
  );
} finally {
  await browser.close();
  await host.close();
  await built.remove();
}

/** Simulated seconds a second of a drive without a page. */
async function alone(): Promise<number> {
  const runId = await driveRun(host, { scenario, sensor, seconds: Number(seconds) });
  return factorOf(host, runId);
}

/** The same of one that is started on the page and shown there to its end. */
async function watched(): Promise<number> {
  const { page } = await openPage(browser, 'dark');
  await page.goto(host.web.address);
  // Why not as the tests do: their waiting needs their runner.
  await page.getByTestId('scenario').selectOption(scenario);
  await page.getByTestId('sensor').selectOption(sensor);
  await page.getByTestId('seconds').fill(seconds);
  await page.getByTestId('start').click();
  await page.getByTestId('summary').waitFor();
  const { runs } = await callHost(host, 'runs.list', { limit: 1 });
  await page.context().close();
  return factorOf(host, runs[0]?.id ?? '');
}

async function factorOf(of: RealHost, runId: string): Promise<number> {
  const { metrics } = await callHost(of, 'runs.show', { runId });
  return metrics?.realTimeFactor ?? NaN;
}
