import { describe, expect, it } from 'vitest';
import { defaultLayout, type DockLayout } from '#renderer/logic/frame/dockLayout.ts';
import {
  noLayouts,
  readLayouts,
  withSaved,
  writeLayouts,
} from '#renderer/logic/frame/layoutStorage.ts';

const dock = defaultLayout(
  [{ id: 'view', title: 'View', icon: '', place: 'centre' }],
  { widthPx: 1000, heightPx: 700, scale: 1 },
  new Set(),
);
const takeAny = (value: unknown): DockLayout | null =>
  value === null ? null : (value as DockLayout);
const layout = { dock, known: ['view'] };

describe('layouts in storage', () => {
  it('come back as they were kept', () => {
    const kept = {
      current: { drive: layout },
      saved: [{ name: 'Wide', activity: 'drive', ...layout }],
    };
    expect(readLayouts(writeLayouts(kept), takeAny)).toEqual(kept);
  });

  it.each([
    null,
    '',
    '{',
    'null',
    '7',
    '[]',
    '"text"',
    '{"version":1}',
    '{"version":99,"current":{}}',
  ])('are none where %j is stored', (text) => {
    expect(readLayouts(text, takeAny)).toEqual(noLayouts());
  });

  it('leave out what is junk and keep the rest', () => {
    const text = JSON.stringify({
      version: 1,
      current: { drive: layout, runs: 5, scene: { dock: null, known: [] } },
      saved: [
        null,
        { name: '', activity: 'drive', ...layout },
        { name: 'No list', activity: 'drive', dock },
        { name: 'Good', activity: 'drive', dock, known: ['view', 3] },
      ],
    });
    expect(readLayouts(text, takeAny)).toEqual({
      current: { drive: layout },
      saved: [{ name: 'Good', activity: 'drive', ...layout }],
    });
  });

  it('are asked of the check with their activity', () => {
    const text = writeLayouts({ current: { drive: layout, runs: layout }, saved: [] });
    const read = readLayouts(text, (value, activity) =>
      activity === 'runs' ? null : (value as DockLayout),
    );
    expect(Object.keys(read.current)).toEqual(['drive']);
  });

  it('replace one of the same name in the same activity only', () => {
    const one = { name: 'Wide', activity: 'drive', ...layout };
    const other = { ...one, activity: 'runs' };
    const saved = withSaved(withSaved(withSaved([], one), other), { ...one, known: [] });
    expect(saved).toHaveLength(2);
    expect(saved.find(({ activity }) => activity === 'drive')?.known).toEqual([]);
  });
});
