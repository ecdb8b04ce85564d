// A sensor on the page with the real host and worker behind it: chosen, looked at, edited as a form, saved as a file;
// then the scene is scanned with it, scans are compared, and a point leads to its pulse.
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeApp, eventually, type Theme } from './app.ts';
import { screenshot } from './browser.ts';
import { faultsInSight } from './cutOff.ts';

/** All of an element can be seen. Runs in the page. */
function isInFront(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const x = (left + right) / 2;
  const isAt = (y: number): boolean => element.contains(document.elementFromPoint(x, y));
  return isAt(top + 2) && isAt(bottom - 2);
}

describeApp('sensors and scans in the browser', (app) => {
  async function open(theme: Theme): Promise<Page> {
    const page = await app.open(theme, { at: 'scene' });
    await page.getByRole('tab', { name: 'Sensor' }).click();
    await page.getByTestId('sensor-panel').waitFor();
    return page;
  }

  it.each(['dark', 'light'] as const)(
    'shows a sensor and what an edit makes of it, %s',
    async (theme) => {
      const page = await open(theme);
      const panel = page.getByTestId('sensor-panel');
      await page.getByTestId('sensor-hdl-32e').click();
      const spot = page.locator('[data-test=spot] b');
      // 2 · 10 m · tan(3.33 mrad / 2) and of 1.67 mrad.
      await eventually(() => spot.innerText()).toBe('3.33 cm × 1.67 cm');
      // The lasers below the horizon; from 2 m that at -1.33° meets the ground after 86 m.
      await panel.getByText('23 of 32 hit flat ground').waitFor();
      await screenshot(page, `sensor-pictures-${theme}`);
      await page.getByRole('button', { name: 'Properties' }).click();
      await panel.getByText('32 lasers, firing every 0.1659°').waitFor();
      await screenshot(page, `sensor-properties-${theme}`);

      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await screenshot(page, `sensor-edit-${theme}`);
      await page.getByTestId('field-beam.divergenceHorizontalMrad').fill('6.6');
      await eventually(() => spot.innerText()).toBe('6.6 cm × 1.67 cm');
      await page.getByTestId('edited').waitFor();

      await page.getByTestId('field-range.minM').fill('110');
      await panel.getByText('expected less than maxM (100), found 110').waitFor();
      await screenshot(page, `sensor-problem-${theme}`);
      // The field with its label and problem lies below the footprint, not behind it.
      for (const seen of [
        page.getByTestId('field-range.minM'),
        panel.getByText('expected less than maxM (100), found 110'),
      ]) {
        expect(await seen.evaluate(isInFront)).toBe(true);
      }
      const coveredPx = await page.getByTestId('field-range.minM').evaluate((input) => {
        const [label] = (input as HTMLInputElement).labels ?? [];
        const footprint = document.querySelector('.sticky')?.getBoundingClientRect();
        return (footprint?.bottom ?? NaN) - (label?.getBoundingClientRect().top ?? NaN);
      });
      expect(coveredPx).toBeLessThanOrEqual(0);
      await page.getByTestId('field-range.minM').fill('2');
      await panel.getByText('expected less than maxM').waitFor({ state: 'detached' });

      await page.getByTestId('save-sensor').click();
      const saved = page.getByTestId('save-file');
      await eventually(() => saved.inputValue()).toContain(app.host.dataFolder);
      const file = await saved.inputValue();
      await page.getByTestId('save-now').click();
      await page.locator(`[data-test="sensor-${file}"][aria-pressed=true]`).waitFor();
      const text = await readFile(file, 'utf8');
      expect(text).toContain('divergenceHorizontalMrad: 6.6');
      // The rest of the text is unchanged, comments included.
      expect(text).toContain(
        'firingCycleUs: 46.08 # 694,444 pulses a second; 0.083° at 5 Hz, 0.166° at 10 Hz, 0.332° at 20 Hz',
      );
    },
  );

  it.each(['dark', 'light'] as const)(
    'scans, compares and looks into a pulse, %s',
    async (theme) => {
      const page = await open(theme);
      await page.getByTestId('sensor-hdl-32e').click();
      await page.getByTestId('open-clearing').click();
      await page.getByRole('tab', { name: 'Scans' }).click();
      // The mission's start, at the height of the scenario's first sensor.
      const at = (name: string): Promise<string> => page.getByTestId(`pose-${name}`).inputValue();
      await eventually(() => at('xM')).toBe('-9');
      await eventually(() => at('yawDeg')).toBe('37');
      await page.getByTestId('scan-once').click();
      const kept = page.locator('[data-test=scans] li');
      await eventually(() => kept.count()).toBe(1);

      await page.getByRole('tab', { name: 'Sensor' }).click();
      await page.getByTestId('sensor-hdl-64e-s2').click();
      await page.getByTestId('sensor-panel').getByText('Rate').waitFor();
      await page.getByRole('tab', { name: 'Scans' }).click();
      await page.getByTestId('scans-panel').getByText('Velodyne HDL-64E S2').waitFor();
      await page.keyboard.press('n');
      await eventually(() => kept.count()).toBe(2);
      const metrics = await page.getByTestId('comparison').innerText();
      expect(metrics).toContain('Returns');
      expect(metrics).toContain('on grass');
      await page.waitForTimeout(1500);
      await screenshot(page, `scans-compared-${theme}`);
      expect(await faultsInSight(page)).toEqual([]);
      await page.getByTestId('scan-colour').selectOption('class');
      await page.waitForTimeout(500);

      // By the keyboard, and by a click into the picture.
      await page.getByTestId('look-into-pulse').click();
      const returned = page.getByTestId('pulse-return');
      await returned.first().waitFor();
      expect(await returned.first().innerText()).toMatch(/The strongest of \d+ echoes/);
      await screenshot(page, `pulse-${theme}`);
      // It has room from the first: the words and the signal are seen at once.
      const pulse = await page.getByTestId('pulse-panel').boundingBox();
      expect(pulse?.width).toBeGreaterThan(900);
      const endPx = (pulse?.y ?? 0) + (pulse?.height ?? 0);
      for (const seen of [returned.first(), page.getByText('range, m', { exact: true }).first()]) {
        const box = await seen.boundingBox();
        expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(endPx);
      }
      const number = (): Promise<string> => page.locator('[data-test=pulse-panel] h3').innerText();
      const before = await number();
      await page.keyboard.press('.');
      await eventually(number).not.toBe(before);
      await page.keyboard.press(',');
      await eventually(number).toBe(before);

      // A click into the picture: near one of so many points there is one.
      const box = await page.getByTestId('scene-canvas').boundingBox();
      for (let attempt = 0; attempt < 12 && (await number()) === before; attempt += 1) {
        const xPx = (box?.x ?? 0) + (box?.width ?? 0) * (0.3 + 0.03 * attempt);
        await page.mouse.click(xPx, (box?.y ?? 0) + (box?.height ?? 0) * 0.62);
        await page.waitForTimeout(700);
      }
      await eventually(number).not.toBe(before);

      await page.getByTestId('side-by-side').click();
      await page.getByTestId('clean-noisy').getByText('Standard deviation').waitFor();
      await page.waitForTimeout(800);
      await screenshot(page, `clean-noisy-${theme}`);
    },
    180_000,
  );
});
