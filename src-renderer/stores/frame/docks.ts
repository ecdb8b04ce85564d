// The docks, one for each activity that was visited: which panels are open, and which layouts they take. A layout that
// has no changes is not stored: it fits itself to the window.
import { defineStore } from 'pinia';
import { computed, shallowReactive, watch } from 'vue';
import type { DockviewApi } from 'dockview-vue';
import { checkLayout, type DockLayout, type DockSize } from '#renderer/logic/frame/dockLayout.ts';
import { withSaved, type StoredLayout } from '#renderer/logic/frame/layoutStorage.ts';
import { useScale } from '../preferences/scale.ts';
import { createDock, type Dock } from './dock.ts';
import { createFolds } from './folds.ts';
import { useLayouts } from './layouts.ts';
import { usePanelList, type PanelEntry } from './panelList.ts';
import { usePlace, type Activity } from './place.ts';

/** A window that is dragged larger has its final size when no event came for so long. */
const settleMs = 150;

/** Without its scale. */
export type DockRoom = Omit<DockSize, 'scale'>;

export const useDocks = defineStore('docks', () => {
  const place = usePlace();
  const panels = usePanelList();
  const { scale } = useScale();
  const docks = new Map<Activity, Dock>();
  /** Ids of the open panels, by activity. */
  const open = shallowReactive(new Map<Activity, ReadonlySet<string>>());
  const { layouts, error, store, storeSoon } = useLayouts(checkDock);
  const saved = computed(() => layouts.saved.filter(({ activity }) => activity === place.activity));
  /** Panels to open as soon as the dock is there. */
  const waiting: { entry: PanelEntry; subject: string | null }[] = [];
  const hidden = new Set<Activity>();
  const fitting = new Map<Activity, ReturnType<typeof setTimeout>>();
  watch(scale, () => {
    for (const activity of docks.keys()) fitSoon(activity);
  });
  const ofLayouts = { saved, error, reset, save, apply, forget };
  return { ...createFolds(docks), ...ofLayouts, open, attach, fitSoon, show, close, isOpen };

  /**
   * Takes a dock that has just been made and lays its panels out; `room` is its size, 0 while it is hidden. Returns what
   * forgets it.
   */
  function attach(activity: Activity, api: DockviewApi, room: () => DockRoom): () => void {
    const sizeNow = (): DockSize => ({ ...room(), scale: scale.value });
    const dock = createDock(api, panelsOf(activity), sizeNow);
    docks.set(activity, dock);
    const listOpen = (): void => void open.set(activity, new Set(api.panels.map(({ id }) => id)));
    const ends = [
      api.onDidAddPanel(listOpen),
      api.onDidRemovePanel(listOpen),
      api.onDidLayoutChange(() => onChange(activity, dock)),
    ];
    const before = layouts.current[activity];
    if (before === undefined || !arrange(dock, before, panelsOf(activity))) reset(activity);
    listOpen();
    for (const one of waiting.filter(({ entry }) => entry.activity === activity)) {
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
    const dock = docks.get(entry.activity);
    if (dock === undefined) waiting.push({ entry, subject });
    else dock.open(entry, subject);
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
    dock.arrangeDefault();
    delete layouts.current[activity];
    storeSoon();
  }

  /** Stores the layout of the activity that is shown under a name. */
  function save(name: string): void {
    const { activity } = place;
    layouts.saved = withSaved(layouts.saved, { ...layoutOf(activity), name, activity });
    store();
  }

  function apply(name: string): void {
    const dock = docks.get(place.activity);
    const layout = saved.value.find((one) => one.name === name);
    if (dock === undefined || layout === undefined) return;
    if (!arrange(dock, layout, panelsOf(place.activity))) reset(place.activity);
  }

  function forget(name: string): void {
    const isOther = (one: { name: string; activity: string }): boolean =>
      one.name !== name || one.activity !== place.activity;
    layouts.saved = layouts.saved.filter(isOther);
    store();
  }

  function onChange(activity: Activity, dock: Dock): void {
    if (!dock.noteChange()) return;
    layouts.current[activity] = layoutOf(activity);
    storeSoon();
  }

  /** To be called when the room of a dock may have changed: a layout as it was at first follows. */
  function fitSoon(activity: Activity): void {
    clearTimeout(fitting.get(activity));
    const fit = (): void => {
      const dock = docks.get(activity);
      if (dock === undefined || dock.isHidden() || !dock.hasNewSize()) return;
      if (dock.isDefault()) dock.refit();
      else dock.acceptSize();
    };
    const dock = docks.get(activity);
    if (dock?.isHidden() === true) {
      hidden.add(activity);
      return;
    }
    // Why at once: until the time is over, panels had the width of the former window, 300 ms and more.
    dock?.followSize();
    if (hidden.delete(activity)) {
      fit();
      return;
    }
    // Why in a frame: the dock takes its size in the one after its element has, which may take longer than the time.
    const inFrame = (): void => void requestAnimationFrame(fit);
    fitting.set(activity, setTimeout(inFrame, settleMs));
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
});

/** False where the dock refused the layout. Panels that are new since it was stored are added. */
function arrange(dock: Dock, layout: StoredLayout, panels: readonly PanelEntry[]): boolean {
  try {
    dock.arrange(JSON.parse(JSON.stringify(layout.dock)) as DockLayout);
  } catch {
    return false;
  }
  for (const entry of panels) {
    if (entry.isForSubject === true || layout.known.includes(entry.id)) continue;
    if (dock.api.getPanel(entry.id) === undefined) dock.add(entry, null);
  }
  return true;
}
