// The plot of a pulse: its waveform can be seen, and no text of it, nor a hint of a form, is covered or cut off.
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { screenshot } from './browser.ts';
import { faultsInSight } from './cutOff.ts';
import { openScene, part } from './scenes.ts';

describeApp('the plot of a pulse', (app) => {
  it('ui-04 the waveform of a pulse is drawn with its samples', async () => {
    const page = await openScene(app, 'box', 'light');
    await page.getByRole('tab', { name: 'Sensor' }).click();
    await page.getByTestId('sensor-full-waveform').click();
    await page.getByRole('tab', { name: 'Scans' }).click();
    await page
      .getByTestId('scans-panel')
      .locator('.with')
      .getByText(/waveform/i)
      .waitFor();
    await page.getByTestId('scan-once').click();
    await eventually(() => page.getByTestId('scans').locator('li').count()).toBe(1);
    await page.getByTestId('look-into-pulse').click();
    const axis = page.getByTestId('pulse-panel').locator('svg.axis');
    await axis.getByText('received').waitFor();
    const line = (await page.getByTestId('waveform').getAttribute('d')) ?? '';
    const points = [...line.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) =>
      [x, y].map(Number),
    );
    const samples = page.getByTestId('waveform-sample');
    expect(points.length).toBeGreaterThan(6);
    expect(await samples.count()).toBe(points.length);
    // It rises from nothing, to its peak, and falls back within the plot.
    const heights = points.map(([, y = 0]) => 152 - y);
    const peak = Math.max(...heights);
    expect(heights[0]).toBeLessThan(0.02 * peak);
    expect(heights.at(-1)).toBeLessThan(0.02 * peak);
    expect(heights.filter((height) => height > 0.1 * peak).length).toBeGreaterThan(2);
    await screenshot(page, 'pulse-waveform-light');
  });

  it('ui-16 labels of the plot and hints of fields have room', async () => {
    const page = await openScene(app, 'box', 'dark');
    await page.getByRole('tab', { name: 'Scans' }).click();
    await page.getByTestId('scan-once').click();
    await eventually(() => page.getByTestId('scans').locator('li').count()).toBe(1);
    await page.getByTestId('look-into-pulse').click();
    await page.getByTestId('range-label').waitFor();
    const boxes = await page
      .locator('[data-test=pulse-panel] svg.axis .ticks text')
      .evaluateAll((texts) =>
        texts.map((text) => {
          const { left, right, top, bottom } = text.getBoundingClientRect();
          return { words: text.textContent.trim(), left, right, top, bottom };
        }),
      );
    expect(boxes.length).toBeGreaterThan(5);
    for (const [index, a] of boxes.entries()) {
      for (const b of boxes.slice(index + 1)) {
        const isApart =
          a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
        expect(isApart, `“${a.words}” and “${b.words}”`).toBe(true);
      }
    }
    await screenshot(page, 'pulse-plot-dark');
    expect(await faultsInSight(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Contents' }).click();
    for (const path of ['scene.materials.wall', 'sensors[0]', 'scene.instances[0]']) {
      await part(page, path).click();
      await page.getByTestId('part-name').waitFor();
      const cutOff = await page
        .locator('[data-panel=scene-properties] .hint')
        .evaluateAll((hints) =>
          hints
            .filter((hint) => hint.scrollWidth > hint.clientWidth + 1)
            .map((hint) => hint.textContent),
        );
      expect(cutOff, path).toEqual([]);
      await screenshot(page, `hints-${path.replaceAll(/\W/g, '-')}-dark`);
    }
  });
});
