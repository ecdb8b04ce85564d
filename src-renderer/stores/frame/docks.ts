// The docks, one for each activity that was visited: which panels are open, how they are laid out, and what is
// stored of that in this browser. A layout that nobody has changed is not stored: it fits itself to the window.
import { defineStore } from 'pinia';
import { computed, onScopeDispose, reactive, shallowReactive, shallowRef, watch } from 'vue';
import type { DockviewApi } from 'dockview-vue';
import { useScale } from '../preferences/scale.ts';
import {
  checkLayout,
  defaultLayout,
  dockId,
  panelState,
  type DockLayout,
  type DockSize,
} from '#renderer/logic/frame/dockLayout.ts';
import {
  readLayouts,
  withSaved,
  writeLayouts,
  type StoredLayout,
} from '#renderer/logic/frame/layoutStorage.ts';
import { storedInBrowser } from '#renderer/browser/storedText.ts';
import { usePanelList, type PanelEntry } from './panelList.ts';
import { usePlace, type Activity } from './place.ts';

interface Dock {
  api: DockviewApi;
  /** As the activity begins: follows the window's width. */
  isDefault: boolean;
  /** When it was arranged last, or its window changed. */
  size: DockSize;
  shape: string;
}

const storedLayouts = storedInBrowser('layouts');
/** Layouts change with each pixel that somebody drags. */
const storeAfterMs = 300;
/** A window that is dragged larger is so for good when nothing came for so long. */
const settleMs = 150;

export const useDocks = defineStore('docks', () => {
  const place = usePlace();
  const panels = usePanelList();
  const docks = new Map<Activity, Dock>();
  /** Ids of the open panels, by activity. */
  const open = shallowReactive(new Map<Activity, ReadonlySet<string>>());
  const layouts = reactive(readLayouts(storedLayouts.read(), checkDock));
  const saved = computed(() => layouts.saved.filter(({ activity }) => activity === place.activity));
  const error = shallowRef<string | null>(null);
  /** What is to be opened as soon as the dock is there. */
  const waiting: { entry: PanelEntry; subject: string | null }[] = [];
  let isArranging = false;
  const fitting = new Map<Activity, ReturnType<typeof setTimeout>>();
  let storing: ReturnType<typeof setTimeout> | undefined;
  const { scale } = useScale();
  watch(scale, () => {
    for (const activity of docks.keys()) fitSoon(activity);
  });
  addEventListener('pagehide', storeNow);
  onScopeDispose(() => removeEventListener('pagehide', storeNow));
  return {
    ...{ open, saved, error },
    ...{ attach, fitSoon, show, close, isOpen, reset, save, apply, forget },
  };

  /** Takes a dock that has just been made and lays its panels out. Returns what forgets it. */
  function attach(activity: Activity, api: DockviewApi): () => void {
    const dock: Dock = { api, isDefault: true, size: sizeNow(api), shape: '' };
    docks.set(activity, dock);
    const look = (): void => void open.set(activity, new Set(api.panels.map(({ id }) => id)));
    const ends = [
      api.onDidAddPanel(look),
      api.onDidRemovePanel(look),
      api.onDidLayoutChange(() => onChange(activity, dock)),
    ];
    const before = layouts.current[activity];
    if (before === undefined || !arrangeStored(activity, dock, before)) reset(activity);
    look();
    const mine = waiting.filter(({ entry }) => entry.activity === activity);
    for (const one of mine) {
      waiting.splice(waiting.indexOf(one), 1);
      show(one.entry.id, one.subject);
    }
    return () => {
      for (const end of ends) end.dispose();
      docks.delete(activity);
      open.delete(activity);
    };
  }

  /** Brings a panel to the front, opens it where it was closed, and goes to its activity. */
  function show(id: string, subject: string | null = null): void {
    const entry = panels.find((one) => one.id === id);
    if (entry === undefined) throw new Error(`no panel '${id}'`);
    if (place.activity !== entry.activity) place.go(entry.activity, subject ?? undefined);
    const api = docks.get(entry.activity)?.api;
    if (api === undefined) {
      waiting.push({ entry, subject });
      return;
    }
    const panel = api.getPanel(dockId(entry, subject)) ?? addPanel(panels, api, entry, subject);
    panel.api.setActive();
  }

  function close(id: string): void {
    for (const { api } of docks.values()) api.getPanel(id)?.api.close();
  }

  function isOpen(id: string): boolean {
    return [...open.values()].some((ids) => ids.has(id));
  }

  /** Back to the layout with which the activity begins. Pages of subjects are closed. */
  function reset(activity: Activity): void {
    const dock = docks.get(activity);
    if (dock === undefined) return;
    arrange(dock, defaultLayout(panelsOf(activity), sizeNow(dock.api)));
    dock.isDefault = true;
    delete layouts.current[activity];
    storeSoon();
  }

  /** Stores the layout of the activity that is shown under a name. */
  function save(name: string): void {
    const layout = { ...layoutOf(place.activity), name, activity: place.activity };
    layouts.saved = withSaved(layouts.saved, layout);
    storeNow();
  }

  function apply(name: string): void {
    const dock = docks.get(place.activity);
    const layout = saved.value.find((one) => one.name === name);
    if (dock === undefined || layout === undefined) return;
    if (!arrangeStored(place.activity, dock, layout)) reset(place.activity);
  }

  function forget(name: string): void {
    layouts.saved = layouts.saved.filter(
      (one) => one.name !== name || one.activity !== place.activity,
    );
    storeNow();
  }

  /** False where the dock refused it. Panels that are new since it was stored are added. */
  function arrangeStored(activity: Activity, dock: Dock, layout: StoredLayout): boolean {
    try {
      arrange(dock, JSON.parse(JSON.stringify(layout.dock)) as DockLayout);
    } catch {
      return false;
    }
    for (const entry of panelsOf(activity)) {
      if (entry.isForSubject === true || layout.known.includes(entry.id)) continue;
      if (dock.api.getPanel(entry.id) === undefined) addPanel(panels, dock.api, entry, null);
    }
    dock.isDefault = false;
    return true;
  }

  function arrange(dock: Dock, layout: DockLayout): void {
    const { api } = dock;
    isArranging = true;
    try {
      const { width, height } = api;
      api.fromJSON(layout, { reuseExistingPanels: true });
      if (width > 0) api.layout(width, height);
      dock.size = sizeNow(api);
      dock.shape = shapeOf(api.toJSON());
    } finally {
      // Why later: the dock tells of its changes when all is done.
      setTimeout(() => (isArranging = false));
    }
  }

  function onChange(activity: Activity, dock: Dock): void {
    // Why the size: a window that changes its size is no change of the layout.
    if (isArranging || dock.api.width === 0 || hasNewSize(dock)) return;
    if (dock.isDefault && shapeOf(dock.api.toJSON()) === dock.shape) return;
    dock.isDefault = false;
    layouts.current[activity] = layoutOf(activity);
    storeSoon();
  }

  /** To be called when the room of a dock may have changed: a layout as it was at first follows. */
  function fitSoon(activity: Activity): void {
    clearTimeout(fitting.get(activity));
    const fit = (): void => {
      const dock = docks.get(activity);
      if (dock === undefined || dock.api.width === 0 || !hasNewSize(dock)) return;
      if (dock.isDefault) refit(activity, dock.api);
      else dock.size = sizeNow(dock.api);
    };
    fitting.set(activity, setTimeout(fit, settleMs));
  }

  /** The default layout for the new size, with the same tabs in front. */
  function refit(activity: Activity, api: DockviewApi): void {
    const front = api.groups.map(({ activePanel }) => activePanel?.id);
    const last = api.activePanel?.id;
    reset(activity);
    for (const id of [...front, last]) if (id !== undefined) api.getPanel(id)?.api.setActive();
  }

  function hasNewSize({ api, size }: Dock): boolean {
    const now = sizeNow(api);
    return (
      now.widthPx !== size.widthPx || now.heightPx !== size.heightPx || now.scale !== size.scale
    );
  }

  function sizeNow({ width, height }: DockviewApi): DockSize {
    return { widthPx: width, heightPx: height, scale: scale.value };
  }

  function layoutOf(activity: Activity): StoredLayout {
    const dock = docks.get(activity)?.api.toJSON();
    if (dock === undefined) throw new Error(`no dock of '${activity}'`);
    return { dock, known: panelsOf(activity).map(({ id }) => id) };
  }

  function panelsOf(activity: string): PanelEntry[] {
    return panels.filter((entry) => entry.activity === activity);
  }

  function checkDock(value: unknown, activity: string): DockLayout | null {
    return checkLayout(value, (id, subject) => {
      const entry = panelsOf(activity).find((one) => one.id === id);
      return entry !== undefined && (entry.isForSubject === true) === (subject !== null);
    });
  }

  function storeSoon(): void {
    clearTimeout(storing);
    storing = setTimeout(storeNow, storeAfterMs);
  }

  function storeNow(): void {
    clearTimeout(storing);
    error.value = storedLayouts.write(writeLayouts(layouts))
      ? null
      : 'This browser stores no data. Layouts are lost when the page is closed.';
  }
});

/** A tab with those of its place, or else where the place would be. */
function addPanel(
  panels: readonly PanelEntry[],
  api: DockviewApi,
  entry: PanelEntry,
  subject: string | null,
) {
  const like = api.panels.find(({ params }) => {
    const of = panels.find(({ id }) => id === params?.['panel']);
    return of?.place === entry.place;
  });
  const state = { ...panelState(entry, subject), component: 'DockPanel' };
  if (like !== undefined) {
    const position = { referencePanel: like.id, direction: 'within' as const };
    return api.addPanel({ ...state, position });
  }
  if (entry.place === 'centre') return api.addPanel(state);
  const direction = entry.place === 'bottom' ? ('below' as const) : entry.place;
  return api.addPanel({
    ...state,
    position: { direction },
    initialWidth: 340,
    initialHeight: 300,
  });
}

/** Which panels stand where, and how large; not which is in front. */
function shapeOf({ grid, floatingGroups = [] }: DockLayout): string {
  const walk = ({ data, size }: DockLayout['grid']['root']): unknown => [
    Math.round(size ?? 0),
    Array.isArray(data) ? data.map(walk) : data.views,
  ];
  return JSON.stringify([walk(grid.root), floatingGroups.length]);
}
