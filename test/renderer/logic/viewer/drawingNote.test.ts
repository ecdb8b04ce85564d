import { expect, it } from 'vitest';
import { drawingNote } from '#renderer/logic/viewer/drawingNote.ts';

it('says what is drawn coarser, and nothing where nothing is', () => {
  const say = (slowFrameMs: number | null, isCoarse: boolean): string =>
    drawingNote({ slowFrameMs, shadows: { isCoarse } });
  expect(say(null, false)).toBe('');
  expect(say(null, true)).toBe('Coarse shadows on this machine');
  expect(say(123.4, false)).toBe('Coarser while it changes: 123 ms a frame');
  expect(say(123.4, true)).toMatch(/123 ms a frame; coarse shadows$/);
  expect(drawingNote({ slowFrameMs: null, isOccluded: true })).toBe('');
  expect(drawingNote({ slowFrameMs: 50, isOccluded: true })).toBe(
    'Coarser while it changes, no contact shadows: 50 ms a frame',
  );
});
