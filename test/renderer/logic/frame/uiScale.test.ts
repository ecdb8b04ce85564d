import { expect, it } from 'vitest';
import { scaleFrom, scales } from '#renderer/logic/frame/uiScale.ts';

it('the size of the page is one of the steps, whatever was kept', () => {
  for (const scale of scales) expect(scaleFrom(String(scale))).toBe(scale);
  for (const junk of [null, '', 'large', '0', '-1', '1e9', 'NaN']) expect(scaleFrom(junk)).toBe(1);
  expect([Math.min(...scales), Math.max(...scales)]).toEqual([0.8, 1.5]);
});
