// A long recording, played again and again at the highest speed: the page's memory stays where it is.
import { expect, it, onTestFinished } from 'vitest';
import { serve } from '#hosts/web/serve.ts';
import { sampleInstances, sampleSavedScene } from '#test/catalogue/sampleScene.ts';
import { sampleTickRecord } from '#test/recordings/samples.ts';
import { recordedRun } from '#test/services/recordedRun.ts';
import { openHost } from '#test/support/host.ts';
import { describeApp, eventually } from '../app.ts';
import { heapMB } from '../pageMemory.ts';
import { withoutDrawing } from '../pageScript.ts';

/** Five minutes of driving. */
const ticks = 3000;
/** Times that it is played through, some to begin with and those over which memory may not grow. */
const warmUp = 2;
const measured = 4;
/** Far below the 40 MB of points that one playback brings, and below the 11 MB of one metric a tick. */
const maxGrowthMB = 6;

describeApp('the memory of the page', (app) => {
  it('is flat while a long recording is played at the highest speed', async () => {
    const { catalogue, dataFolder } = await recordedRun({ ticks, rows: 1500 });
    catalogue.saveScene('run', sampleSavedScene(), sampleInstances());
    for (let tick = 0; tick < ticks; tick += 1) catalogue.addTick('run', sampleTickRecord(tick));
    const understory = await openHost(dataFolder);
    const { handlers, events, log } = understory;
    const web = await serve({ handlers, events, log, rendererFolder: app.pageFolder });
    onTestFinished(() => web.close());
    const { address } = web;
    const page = await app.open('dark', { at: 'runs/run', address, before: withoutDrawing });
    const bar = page.getByTestId('run-page');
    const time = bar.getByTestId('time');
    await time.getByText('300.0 / 300.0 s').waitFor();
    await bar.getByTestId('speed').selectOption('32');
    const sizesMB: number[] = [];
    for (let pass = 0; pass < warmUp + measured; pass += 1) {
      await bar.getByTestId('play').click();
      await eventually(() => time.innerText()).not.toMatch(/^300/);
      await eventually(() => time.innerText()).toMatch(/^300/);
      sizesMB.push(await heapMB(page));
    }
    console.log(`heap after each pass: ${sizesMB.map((size) => size.toFixed(1)).join(', ')} MB`);
    const [base = 0, ...rest] = sizesMB.slice(warmUp - 1);
    expect(Math.max(...rest) - base).toBeLessThan(maxGrowthMB);
  });
});
