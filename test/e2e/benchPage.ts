// `npm run bench:page`: what an open page costs and how long it takes, in a real Chromium that draws in software: the speed
// of a drive with its page open and without, in pairs that alternate; the time to the first picture of the courtyard; the
// script of the page (long/scriptTime, long/sceneScript); a log that is larger than a view (benchCloud.ts; `--returns`, or
// `--log FILE`). `--only drive|opening|script|cloud`; `--pairs` and `--seconds` (simulated, of each drive); `--instances N`
// opens a wood of so many trees instead of the courtyard.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from '#domain/shared/statistics.ts';
import { nodeTool, projectRoot } from '../stages.ts';
import { measureCloud } from './benchCloud.ts';
import { buildPage, launchBrowser, openRealHost, type RealHost } from './browser.ts';
import { startHostProcess } from './hostProcess.ts';
import { plainHeapMB } from './pageMemory.ts';
import { openPlainPage, type PlainPage } from './plainPage.ts';
import { callHost, driveRun } from './realRuns.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    pairs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '40' },
    scenario: { type: 'string', default: 'courtyard' },
    sensor: { type: 'string', default: 'vlp-16' },
    instances: { type: 'string' },
    returns: { type: 'string', default: '20000000' },
    log: { type: 'string' },
  },
});
const { scenario, sensor, seconds, only, instances } = values;

const built = await buildPage();
const host = await openRealHost(built.folder);
const browser = await launchBrowser();
try {
  if (only === undefined || only === 'opening') await measureOpening();
  if (only === undefined || only === 'cloud') {
    await measureCloud(host, browser, { returns: Number(values.returns), log: values.log });
  }
  if (only === undefined || only === 'drive') await measureDrives(Number(values.pairs));
} finally {
  await browser.close();
  await host.close();
}
if (only === undefined || only === 'script') measureScripts();
await built.remove();

async function measureDrives(pairs: number): Promise<void> {
  // Why: the first drive fills the caches of meshes for all others.
  await alone();
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
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
}

/** Simulated seconds a second of a drive without a page. */
async function alone(): Promise<number> {
  const runId = await driveRun(host, { scenario, sensor, seconds: Number(seconds) });
  return factorOf(host, runId);
}

/** The same of one that is started on the page and shown there to its end. */
async function watched(): Promise<number> {
  const page = await openPlainPage(browser, host.web.address, '');
  await page.fill('scenario', scenario);
  await page.fill('sensor', sensor);
  await page.fill('seconds', seconds);
  await page.click('start');
  await page.waitFor(`document.querySelector('[data-test=summary-toggle]') !== null`);
  const { runs } = await callHost(host, 'runs.list', { limit: 1 });
  await page.close();
  return factorOf(host, runs[0]?.id ?? '');
}

async function factorOf(of: RealHost, runId: string): Promise<number> {
  const { metrics } = await callHost(of, 'runs.show', { runId });
  return metrics?.realTimeFactor ?? NaN;
}

/**
 * From the click that opens it to the first frame with trees that is drawn to its end; three times. The host is a process
 * of its own, as a user's is.
 */
async function measureOpening(): Promise<void> {
  const opener = await startHostProcess(host.dataFolder, built.folder);
  const timesMs: number[] = [];
  const heapsMB: number[] = [];
  const wood = join(host.dataFolder, 'wood.understory.yaml');
  if (instances !== undefined) writeFileSync(wood, woodOf(Number(instances)));
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const address = new URL('#/scene', opener.address).href;
    const page = await openPlainPage(browser, address, `(${watchFirstFrame.toString()})()`);
    await page.waitFor(`document.querySelector('[data-test=open-courtyard]') !== null`);
    if (instances === undefined) await page.click('open-courtyard');
    else await openFile(page, wood);
    await page.waitFor('window.firstFrame.doneMs !== null');
    const { clickMs, doneMs } = await page.evaluate<Window['firstFrame']>('window.firstFrame');
    timesMs.push((doneMs ?? NaN) - (clickMs ?? NaN));
    heapsMB.push(await plainHeapMB(page));
    await page.close();
  }
  await opener.end();
  const texts = timesMs.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(', ');
  const heaps = heapsMB.map((mB) => `${mB.toFixed(0)} MB`).join(', ');
  const scene = instances === undefined ? 'the courtyard' : `${instances} trees`;
  console.log(`first picture of ${scene} after the click: ${texts}; heap of the page: ${heaps}`);
}

async function openFile(page: PlainPage, file: string): Promise<void> {
  await page.evaluate(
    `dispatchEvent(new KeyboardEvent('keydown', { key: 'o', ctrlKey: true, bubbles: true }))`,
  );
  await page.fill('open-path', file);
  await page.evaluate(
    `document.querySelector('[data-test=open-dialog] form button.primary').click()`,
  );
}

/** A wood of 1 km² on level ground. */
function woodOf(trees: number): string {
  return `understory: 2
name: Wood
scene:
  materials:
    soil: { reflectance: 0.3, colour: '#7d6a55' }
    bark: { reflectance: 0.4, colour: '#5c4a3a' }
    leaf: { reflectance: 0.45, colour: '#4c7a34' }
  ground: { kind: plane, sizeM: [1000, 1000], material: soil }
  models: { tree: { kind: plant, plant: broadleaf-tree } }
  scatters:
    - { name: trees, model: tree, count: ${trees}, areaM: [[-500, -500], [500, -500], [500, 500], [-500, 500]] }
`;
}

declare global {
  interface Window {
    firstFrame: { clickMs: number | null; doneMs: number | null };
  }
}

/** Runs in the page: notes the last click, and when a frame with instances was done by the graphics card. */
function watchFirstFrame(): void {
  window.firstFrame = { clickMs: null, doneMs: null };
  const noted = window.firstFrame;
  addEventListener('click', () => (noted.clickMs ??= performance.now()), true);
  const gl = WebGL2RenderingContext.prototype;
  const draw: typeof gl.drawElementsInstanced = Reflect.get(gl, 'drawElementsInstanced');
  const poll: typeof gl.getSyncParameter = Reflect.get(gl, 'getSyncParameter');
  let hasTrees = false;
  gl.drawElementsInstanced = function (...given) {
    hasTrees = true;
    draw.apply(this, given);
  };
  gl.getSyncParameter = function (sync, name): unknown {
    const state: unknown = poll.call(this, sync, name);
    if (hasTrees && state === this.SIGNALED) noted.doneMs ??= performance.now();
    return state;
  };
}

function measureScripts(): void {
  const files = ['scriptTime', 'sceneScript'].map((name) => `test/e2e/long/${name}.test.ts`);
  const { command, args } = nodeTool('script', 'node_modules/vitest/vitest.mjs', [
    'run',
    '--no-file-parallelism',
    ...files,
  ]);
  const env = { ...process.env, UNDERSTORY_BUILT_PAGE: built.folder };
  const { status } = spawnSync(command, args, { cwd: projectRoot, stdio: 'inherit', env });
  process.exitCode = status ?? 1;
}
