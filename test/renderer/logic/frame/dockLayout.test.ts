import { describe, expect, it } from 'vitest';
import { checkLayout, defaultLayout, type PlacedPanel } from '#renderer/logic/frame/dockLayout.ts';

const panels: PlacedPanel[] = [
  { id: 'tree', title: 'Tree', place: 'left' },
  { id: 'parts', title: 'Parts', place: 'left' },
  { id: 'marks', title: 'Marks', place: 'left', isBelow: true },
  { id: 'view', title: 'View', place: 'centre' },
  { id: 'log', title: 'Log', place: 'bottom' },
  { id: 'facts', title: 'Facts', place: 'right' },
  { id: 'page', title: 'Page', place: 'centre', isForSubject: true },
];
const known = (id: string, subject: string | null): boolean =>
  panels.some((panel) => panel.id === id && (panel.isForSubject === true) === (subject !== null));
const wide = { widthPx: 1440, heightPx: 800, scale: 1 };

/** Sizes and panels of the groups, as nested lists. */
function shape({ data, size }: ReturnType<typeof defaultLayout>['grid']['root']): unknown {
  return Array.isArray(data) ? [size, ...data.map(shape)] : [size, data.views.join(' ')];
}

describe('the default layout', () => {
  it('puts panels where they belong and fills the window: below is under the centre and the right', () => {
    const layout = defaultLayout(panels, wide);
    expect(layout.grid.orientation).toBe('HORIZONTAL');
    expect(shape(layout.grid.root)).toEqual([
      800,
      [403, [576, 'tree parts'], [224, 'marks']],
      [1037, [496, [720, 'view'], [317, 'facts']], [304, 'log']],
    ]);
    const withoutRight = panels.filter(({ place }) => place !== 'right');
    expect(shape(defaultLayout(withoutRight, wide).grid.root)).toEqual([
      800,
      [403, [576, 'tree parts'], [224, 'marks']],
      [1037, [496, 'view'], [304, 'log']],
    ]);
    const withoutBottom = panels.filter(({ place }) => place !== 'bottom');
    expect(shape(defaultLayout(withoutBottom, wide).grid.root)).toEqual([
      800,
      [403, [576, 'tree parts'], [224, 'marks']],
      [720, 'view'],
      [317, 'facts'],
    ]);
    expect(layout.activeGroup).toBe('group-view');
    expect(Object.keys(layout.panels)).not.toContain('page');
  });

  it('gives the first of stacked groups the share of the height that it asks for', () => {
    const shared = panels.map((panel) =>
      panel.id === 'tree' ? { ...panel, heightShare: 0.25 } : panel,
    );
    expect(shape(defaultLayout(shared, wide).grid.root)).toMatchObject([
      800,
      [403, [200, 'tree parts'], [600, 'marks']],
      expect.anything(),
    ]);
  });

  it('has two groups on a narrow window, and on one that words are large in', () => {
    const two = [['view'], ['tree', 'parts', 'marks', 'facts', 'log']];
    for (const size of [
      { ...wide, widthPx: 800 },
      { ...wide, widthPx: 1200, scale: 1.5 },
    ]) {
      const { grid } = defaultLayout(panels, size);
      expect(grid.orientation).toBe('VERTICAL');
      const groups = Array.isArray(grid.root.data) ? grid.root.data : [];
      expect(groups.map(({ data }) => (Array.isArray(data) ? null : data.views))).toEqual(two);
    }
  });

  it('passes its own check, at any size and with any panels', () => {
    for (const widthPx of [300, 899, 900, 1280, 4000]) {
      for (let count = 1; count <= panels.length; count += 1) {
        const layout = defaultLayout(panels.slice(-count), { ...wide, widthPx });
        expect(checkLayout(JSON.parse(JSON.stringify(layout)), known)).toEqual(layout);
      }
    }
  });
});

describe('a layout that was kept', () => {
  const good = (): Record<string, object> =>
    JSON.parse(JSON.stringify(defaultLayout(panels, wide))) as Record<string, object>;

  it.each([
    ['nothing', null],
    ['words', 'layout'],
    ['a list', []],
    ['an empty object', {}],
    ['no panels', { ...good(), panels: undefined }],
    ['no size', { ...good(), grid: { ...good()['grid'], width: 'wide' } }],
    ['a negative size', { ...good(), grid: { ...good()['grid'], height: -5 } }],
    ['no direction', { ...good(), grid: { ...good()['grid'], orientation: 'UP' } }],
    ['a tree that is none', { ...good(), grid: { ...good()['grid'], root: 7 } }],
    ['windows of their own', { ...good(), popoutGroups: [] }],
    ['floating junk', { ...good(), floatingGroups: [3] }],
  ])('is refused where it is junk: %s', (_, value) => {
    expect(checkLayout(value, known)).toBeNull();
  });

  it('is refused with a panel that no longer exists, is missing, or is placed twice', () => {
    expect(checkLayout(good(), (id, subject) => id !== 'log' && known(id, subject))).toBeNull();
    const layout = defaultLayout(panels, wide);
    const { facts, ...others } = layout.panels;
    expect(facts).toBeDefined();
    expect(checkLayout({ ...layout, panels: others }, known)).toBeNull();
    const text = JSON.stringify(layout);
    const twice: unknown = JSON.parse(text.replace('["tree","parts"]', '["tree","tree"]'));
    expect(checkLayout(twice, known)).toBeNull();
  });

  it('is refused where it is nested without end', () => {
    let root: unknown = { type: 'leaf', data: { id: 'a', views: [] }, size: 1 };
    for (let depth = 0; depth < 50; depth += 1) root = { type: 'branch', data: [root], size: 1 };
    const grid = { root, width: 100, height: 100, orientation: 'VERTICAL' };
    expect(checkLayout({ grid, panels: {} }, known)).toBeNull();
  });
});
