// Pages of runs: every text of a run is a text on them, and equal runs give equal pages.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { BundledRun } from '#contract/documents/bundle.ts';
import { runDrawings } from '#hosts/pages/runDrawings.ts';
import { createRecordings } from '#recordings/recordings.ts';
import type { DrawnRun } from '#services/ports/runDrawings.ts';
import { recordSample, sampleCompiled, sampleHeader } from '#test/recordings/samples.ts';
import { sampleMetrics } from '#test/services/scriptedRun.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const signal = new AbortController().signal;
const evil = `</script><img src=x onerror="alert('1')">`;

function drawn(): DrawnRun {
  const compiled = structuredClone(sampleCompiled());
  compiled.scenario.name = `scenario ${evil}`;
  compiled.scenario.description = `description ${evil}`;
  compiled.recipe.classes = compiled.recipe.classes.map((name) => `${name} ${evil}`);
  for (const sensor of compiled.sensors) sensor.name = `sensor ${evil}`;
  const run: BundledRun = {
    name: `run ${evil}`,
    scenarioHash: '0'.repeat(64),
    version: `version ${evil}`,
    engine: null,
    isa: 'avx2',
    sceneHash: null,
    seconds: null,
    control: 'autonomy',
    state: 'failed',
    end: null,
    error: `error ${evil}`,
    simSeconds: 1.5,
    points: 1234,
    metrics: sampleMetrics({
      pathLengthM: 12.345,
      collisions: 2,
      collidedWith: [`tree ${evil}`],
    }),
    heights: null,
  };
  return { identity: 'ab'.repeat(32), run, compiled, scans: 4, extentM: null };
}

async function recordedPage(): Promise<string> {
  const file = join(temporaryFolder(), 'recording.mcap');
  const recordings = createRecordings();
  const writer = await recordings.create(file, sampleHeader());
  await recordSample(writer, 3, { rows: 200, flush: true });
  await writer.close();
  const reader = await recordings.open(file);
  const page = await runDrawings.page(drawn(), reader, signal);
  await reader.close();
  return page;
}

it('escapes every text of a run, in elements, attributes and data', async () => {
  const page = await recordedPage();
  for (const pages of [page, await runDrawings.page(drawn(), null, signal)]) {
    expect(pages).not.toContain(evil);
    expect(pages).not.toMatch(/<img|onerror="/);
    for (const name of ['run', 'scenario', 'sensor', 'description', 'version', 'error', 'tree']) {
      expect(pages).toContain(`${name} &lt;/script&gt;&lt;img`);
    }
  }
  const listed = { ...drawn(), sensors: [`sensor ${evil}`], seed: 7 };
  expect(runDrawings.list([listed, listed])).not.toContain(evil);
});

it('names no file, server or network, and allows its own script and style alone', async () => {
  const page = await recordedPage();
  // The namespace of an SVG is no address to be loaded.
  expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|src="(?!data:)/);
  const script = /<script type="module">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? '';
  const hash = createHash('sha256').update(script).digest('base64');
  expect(page).toContain(`script-src &#39;sha256-${hash}&#39;`);
  const style = /<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '';
  const styleHash = createHash('sha256').update(style).digest('base64');
  expect(page).toContain(`style-src &#39;sha256-${styleHash}&#39;`);
  expect(page).not.toMatch(/<[^>]+ style=/);
});

it('gives equal runs equal bytes', async () => {
  const page = await recordedPage();
  expect(page.length).toBeGreaterThan(10_000);
  expect(await recordedPage()).toBe(page);
});

it('shows a run without its recording by its facts', async () => {
  const page = await runDrawings.page(drawn(), null, signal);
  expect(page).not.toContain('<script');
  expect(page).toContain('packed without a recording');
  expect(page).toContain('12.35 m');
});
