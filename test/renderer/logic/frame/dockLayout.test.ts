import { describe, expect, it } from 'vitest';
import {
  checkLayout,
  defaultLayout,
  type DockSize,
  type Edge,
  type PlacedPanel,
} from '#renderer/logic/frame/dockLayout.ts';

const panels: PlacedPanel[] = [
  { id: 'tree', title: 'Tree', icon: '', place: 'left', isOpenAtFirst: true },
  { id: 'parts', title: 'Parts', icon: '', place: 'left' },
  { id: 'view', title: 'View', icon: '', place: 'centre' },
  { id: 'log', title: 'Log', icon: '', place: 'bottom' },
  { id: 'facts', title: 'Facts', icon: '', place: 'right' },
  { id: 'page', title: 'Page', icon: '', place: 'centre', isForSubject: true },
];
const known = (id: string, subject: string | null): boolean =>
  panels.some((panel) => panel.id === id && (panel.isForSubject === true) === (subject !== null));
const wide = { widthPx: 1440, heightPx: 800, scale: 1 };
const layoutOf = (size: DockSize, open: readonly Edge[] = []) =>
  defaultLayout(panels, size, new Set(open));

describe('the default layout', () => {
  it('has the centre as its grid and the rest at its edges, open as asked', () => {
    const { grid, edgeGroups, activeGroup, panels: states } = layoutOf(wide, ['left']);
    expect(grid.root.data).toMatchObject([{ type: 'leaf', data: { views: ['view'] } }]);
    expect(edgeGroups).toMatchObject({
      left: { size: 374, collapsed: false, group: { views: ['tree', 'parts'] } },
      right: { size: 317, collapsed: true, group: { views: ['facts'] } },
      bottom: { size: 288, collapsed: true, group: { views: ['log'] } },
    });
    expect(activeGroup).toBe('group-centre');
    expect(Object.keys(states)).not.toContain('page');
  });

  it('folds an edge that would leave too little for the centre', () => {
    const all = ['left', 'right', 'bottom'] as const;
    expect(layoutOf({ ...wide, widthPx: 1100 }, all).edgeGroups).toMatchObject({
      left: { collapsed: false },
      right: { collapsed: true },
      bottom: { collapsed: false },
    });
    expect(layoutOf({ ...wide, widthPx: 1600 }, all).edgeGroups?.right?.collapsed).toBe(false);
    for (const size of [
      { ...wide, widthPx: 500 },
      { ...wide, widthPx: 780, scale: 1.5 },
    ]) {
      expect(layoutOf(size, all).edgeGroups?.left?.collapsed).toBe(true);
    }
  });

  it('passes its own check, at any size and with any panels', () => {
    for (const widthPx of [300, 899, 900, 1280, 4000]) {
      for (let count = 1; count <= panels.length; count += 1) {
        const layout = defaultLayout(panels.slice(-count), { ...wide, widthPx }, new Set());
        expect(checkLayout(JSON.parse(JSON.stringify(layout)), known)).toEqual(layout);
      }
    }
  });
});

describe('a layout that was stored', () => {
  const good = (): Record<string, object> =>
    JSON.parse(JSON.stringify(layoutOf(wide))) as Record<string, object>;

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
    ['an edge that is none', { ...good(), edgeGroups: { middle: {} } }],
    ['an edge without a size', { ...good(), edgeGroups: { left: { group: {} } } }],
    ['floating junk', { ...good(), floatingGroups: [3] }],
  ])('is refused where it is junk: %s', (_, value) => {
    expect(checkLayout(value, known)).toBeNull();
  });

  it('is refused with a panel that no longer exists, is missing, or is placed twice', () => {
    expect(checkLayout(good(), (id, subject) => id !== 'log' && known(id, subject))).toBeNull();
    const layout = layoutOf(wide);
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
