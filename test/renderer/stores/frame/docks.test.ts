// Docks: panels that are opened before and after a dock is there, layouts that are stored, saved under a name, applied
// and reset. A small dock takes the place of dockview's, which needs a browser.
import type { DockviewApi } from 'dockview-vue';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { edges, type DockLayout, type Edge } from '#renderer/logic/frame/dockLayout.ts';
import { useDocks } from '#renderer/stores/frame/docks.ts';
import { panelListKey, type PanelEntry } from '#renderer/stores/frame/panelList.ts';
import { usePlace } from '#renderer/stores/frame/place.ts';
import { stubBrowser } from '../browserStubs.ts';
import { fakePage } from '../pageOf.ts';

const panels: PanelEntry[] = [
  { id: 'runs', title: 'Runs', icon: '', place: 'centre', activity: 'runs' },
  { id: 'latest', title: 'Latest', icon: '', place: 'left', isOpenAtFirst: true, activity: 'runs' },
  { id: 'run', title: 'Run', icon: '', place: 'centre', activity: 'runs', isForSubject: true },
  { id: 'live', title: 'Live', icon: '', place: 'centre', activity: 'drive' },
];

let browser: Map<string, string>;
let docks: ReturnType<typeof useDocks>;

beforeEach(() => {
  vi.useFakeTimers();
  ({ browser } = stubBrowser('#/runs'));
  open();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The page as it is loaded: what the browser has stored is read. */
function open(): void {
  const page = fakePage([[panelListKey, panels]]);
  docks = page.within(() => useDocks());
}

const room = () => ({ widthPx: 1200, heightPx: 800 });

/** Panels in the order of their tabs, and which is in front. */
interface FakeDock {
  api: DockviewApi;
  ids: () => string[];
  front: () => string | null;
  /** As if a person had moved a border. */
  drag: () => void;
  isFolded: (edge: Edge) => boolean | undefined;
}

function fakeDock(): FakeDock {
  let ids: string[] = [];
  let front: string | null = null;
  let border = 0;
  let layout: DockLayout | null = null;
  const folded = new Map<Edge, boolean>();
  const listeners: Record<string, (() => void)[]> = { add: [], remove: [], change: [] };
  const on = (name: string) => (listener: () => void) => {
    listeners[name]?.push(listener);
    return { dispose: () => undefined };
  };
  const fire = (name: string): void => listeners[name]?.forEach((listener) => listener());
  const group = () => ({
    type: 'leaf',
    size: 100 + border,
    data: { views: ids, activeView: ids[0], id: 'group' },
  });
  const locationOf = (id: string) => {
    const edge = edges.find((one) =>
      panels.some((entry) => entry.id === id && entry.place === one),
    );
    return edge === undefined ? { type: 'grid' } : { type: 'edge', position: edge };
  };
  const edgeOf = (edge: Edge) => ({
    id: edge,
    width: 300,
    isCollapsed: () => folded.get(edge),
    collapse: () => void folded.set(edge, true),
    expand: () => void folded.set(edge, false),
  });
  const panelOf = (id: string) => ({
    id,
    params: { panel: id.split(':')[0] },
    group: { api: { location: locationOf(id) } },
    api: {
      setActive: () => void (front = id),
      close() {
        ids = ids.filter((one) => one !== id);
        fire('remove');
      },
    },
  });
  const api = {
    groups: [],
    getEdgeGroup: (edge: Edge) => (folded.has(edge) ? edgeOf(edge) : undefined),
    addEdgeGroup(edge: Edge) {
      folded.set(edge, false);
      return edgeOf(edge);
    },
    removeEdgeGroup: (edge: Edge) => void folded.delete(edge),
    get panels() {
      return ids.map(panelOf);
    },
    getPanel: (id: string) => (ids.includes(id) ? panelOf(id) : undefined),
    addPanel({ id }: { id: string }) {
      ids = [...ids, id];
      fire('add');
      return panelOf(id);
    },
    fromJSON(next: DockLayout) {
      if (Object.keys(next.panels).length === 0) throw new Error('an empty layout');
      layout = next;
      for (const edge of edges) {
        const one = next.edgeGroups?.[edge];
        if (one !== undefined) folded.set(edge, one.collapsed === true);
      }
      ids = Object.keys(next.panels);
      fire('add');
    },
    layout: () => undefined,
    toJSON: () => ({
      ...layout,
      edgeGroups: Object.fromEntries(
        [...folded].map(([edge, collapsed]) => [
          edge,
          { size: 300, visible: true, collapsed, group: { id: edge, views: [] } },
        ]),
      ),
      grid: { ...layout?.grid, root: { type: 'branch', size: 800, data: [group()] } },
      panels: Object.fromEntries(
        ids.map((id) => [
          id,
          { id, contentComponent: 'DockPanel', params: { panel: id, subject: null } },
        ]),
      ),
    }),
    onDidAddPanel: on('add'),
    onDidRemovePanel: on('remove'),
    onDidLayoutChange: on('change'),
  };
  return {
    api: api as unknown as DockviewApi,
    ids: () => ids,
    front: () => front,
    drag() {
      vi.runAllTimers(); // what the dock itself arranged has been reported
      border += 10;
      fire('change');
    },
    isFolded: (edge) => folded.get(edge),
  };
}

describe('a new dock', () => {
  it('has the panels of its activity, without those for a subject', () => {
    const dock = fakeDock();
    docks.attach('runs', dock.api, room);
    expect(dock.ids().sort()).toEqual(['latest', 'runs']);
    expect(docks.isOpen('latest')).toBe(true);
    expect(docks.isOpen('live')).toBe(false);
  });

  it('opens what was asked for before it was there', () => {
    docks.show('run', '42');
    const dock = fakeDock();
    docks.attach('runs', dock.api, room);
    expect(dock.ids()).toContain('run:42');
    expect(dock.front()).toBe('run:42');
  });

  it('stores nothing while nothing is changed', () => {
    docks.attach('runs', fakeDock().api, room);
    vi.runAllTimers();
    expect(JSON.parse(browser.get('understory.layouts') ?? '{"current":{}}')).toMatchObject({
      current: {},
    });
  });
});

describe('panels', () => {
  it('are brought to the front, opened again after they were closed, and another activity is entered', () => {
    const dock = fakeDock();
    docks.attach('runs', dock.api, room);
    docks.close('latest');
    expect(docks.isOpen('latest')).toBe(false);
    docks.show('latest');
    expect(dock.front()).toBe('latest');
    docks.show('live');
    expect(usePlace().activity).toBe('drive');
  });

  it('without an entry in the list are a bug', () => {
    expect(() => docks.show('nothing')).toThrow("no panel 'nothing'");
  });

  it('are forgotten with their dock', () => {
    const detach = docks.attach('runs', fakeDock().api, room);
    detach();
    expect(docks.isOpen('runs')).toBe(false);
  });
});

describe('edges', () => {
  it('open and fold in a layout without changes, and open for a panel that is shown', () => {
    const dock = fakeDock();
    docks.attach('runs', dock.api, room);
    expect(dock.isFolded('left')).toBe(false);
    docks.fold('runs', 'left', true);
    expect(dock.isFolded('left')).toBe(true);
    docks.show('latest');
    expect(dock.isFolded('left')).toBe(false);
    dock.drag();
    docks.fold('runs', 'left', true);
    expect(dock.isFolded('left')).toBe(false);
  });

  it('are folded for a time, and open after it only where they were before', () => {
    const dock = fakeDock();
    docks.attach('runs', dock.api, room);
    dock.drag();
    docks.foldFor('runs', 'left', false);
    expect(dock.isFolded('left')).toBe(true);
    docks.foldFor('runs', 'left', true);
    expect(dock.isFolded('left')).toBe(false);
    dock.api.getEdgeGroup('left')?.collapse();
    docks.foldFor('runs', 'left', false);
    docks.foldFor('runs', 'left', true);
    expect(dock.isFolded('left')).toBe(true);
  });
});

describe('layouts', () => {
  it('that a person changed are stored and come back with the page', () => {
    const dock = fakeDock();
    docks.attach('runs', dock.api, room);
    docks.close('latest');
    dock.drag();
    vi.runAllTimers();
    open();
    const again = fakeDock();
    docks.attach('runs', again.api, room);
    expect(again.ids()).toEqual(['runs']);
  });

  it('get the panels that are new since', () => {
    const dock = fakeDock();
    docks.attach('runs', dock.api, room);
    dock.drag();
    vi.runAllTimers();
    panels.push({ id: 'new', title: 'New', icon: '', place: 'right', activity: 'runs' });
    open();
    const again = fakeDock();
    docks.attach('runs', again.api, room);
    panels.pop();
    expect(again.ids().sort()).toEqual(['latest', 'new', 'runs']);
  });

  it('are saved under a name, applied, replaced and removed', () => {
    const dock = fakeDock();
    docks.attach('runs', dock.api, room);
    docks.save('wide');
    docks.close('latest');
    docks.save('bare');
    expect(docks.saved.map(({ name }) => name)).toEqual(['bare', 'wide']);
    docks.apply('wide');
    expect(dock.ids().sort()).toEqual(['latest', 'runs']);
    docks.apply('bare');
    expect(dock.ids()).toEqual(['runs']);
    docks.save('wide');
    docks.apply('wide');
    expect(dock.ids()).toEqual(['runs']);
    docks.forget('wide');
    expect(docks.saved.map(({ name }) => name)).toEqual(['bare']);
  });

  it('go back to the first one', () => {
    const dock = fakeDock();
    docks.attach('runs', dock.api, room);
    docks.close('latest');
    dock.drag();
    docks.reset('runs');
    expect(dock.ids().sort()).toEqual(['latest', 'runs']);
    vi.runAllTimers();
    expect(JSON.parse(browser.get('understory.layouts') ?? '')).toMatchObject({ current: {} });
  });

  it('of a browser that stores nothing are reported as lost', () => {
    vi.stubGlobal('localStorage', undefined);
    docks.attach('runs', fakeDock().api, room);
    docks.save('wide');
    expect(docks.error).toContain('stores no data');
  });
});
