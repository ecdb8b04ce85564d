// A scene while levels of its plants are still to come, over a connection slow enough to see it.
import { expect, it } from 'vitest';
import { describeApp, eventually } from './app.ts';
import { screenshot } from './browser.ts';
import { settled } from './scenes.ts';
import { openFaultyProxy } from './faultyProxy.ts';

describeApp('levels of plants', (app) => {
  it('ui-18 plants are drawn as faint crowns until a level fine enough has come', async () => {
    const proxy = await openFaultyProxy(app.host.web.address);
    try {
      const page = await app.open('light', { at: 'scene', address: proxy.address });
      proxy.slowness = { bytesPerS: 300_000, delayMs: 0 };
      await page.getByTestId('open-clearing').click();
      const drawn = page.getByTestId('scene-metrics');
      const standIns = async (): Promise<number> =>
        Number(await drawn.getAttribute('data-stand-ins'));
      await drawn.waitFor();
      await eventually(standIns).toBeGreaterThan(0);
      await screenshot(page, 'scene-stand-ins-light');
      expect(await drawn.innerText()).toMatch(/\d+ plants loading/);
      expect(await drawn.getAttribute('data-settled')).toBe('false');
      proxy.slowness = null;
      await settled(page);
      expect(await standIns()).toBe(0);
      await screenshot(page, 'scene-no-stand-ins-light');
    } finally {
      await proxy.close();
    }
  });
});
