// The docks, one for each activity that was visited: which panels are open, opening and closing them.
import { defineStore } from 'pinia';
import { shallowReactive } from 'vue';
import type { DockviewApi } from 'dockview-vue';
import { buildDefaultLayout, panelOptions } from '#renderer/frame/defaultLayout.ts';
import { panels, type PanelEntry } from '#renderer/panels/registry.ts';
import { usePlace, type Activity } from './place.ts';

export const useDocks = defineStore('docks', () => {
  const place = usePlace();
  const apis = shallowReactive(new Map<Activity, DockviewApi>());
  /** Ids of the open panels, by activity. */
  const open = shallowReactive(new Map<Activity, ReadonlySet<string>>());
  /** What is to be opened as soon as the dock is there. */
  const waiting: { entry: PanelEntry; subject: string | null }[] = [];
  return { open, attach, show, close, isOpen, reset };

  /** Takes a dock that has just been made and lays its panels out. Returns what forgets it. */
  function attach(activity: Activity, api: DockviewApi): () => void {
    apis.set(activity, api);
    buildDefaultLayout(api, activity);
    const look = (): void => void open.set(activity, new Set(api.panels.map(({ id }) => id)));
    const ends = [api.onDidAddPanel(look), api.onDidRemovePanel(look)];
    look();
    for (const { entry, subject } of waiting.splice(0)) show(entry.id, subject);
    return () => {
      for (const end of ends) end.dispose();
      apis.delete(activity);
      open.delete(activity);
    };
  }

  /** Brings a panel to the front, opens it where it was closed, and goes to its activity. */
  function show(id: string, subject: string | null = null): void {
    const entry = panels.find((one) => one.id === id);
    if (entry === undefined) throw new Error(`no panel '${id}'`);
    if (place.activity !== entry.activity) place.go(entry.activity, subject ?? undefined);
    const api = apis.get(entry.activity);
    if (api === undefined) {
      waiting.push({ entry, subject });
      return;
    }
    const options = panelOptions(entry, subject);
    const panel = api.getPanel(options.id);
    if (panel !== undefined) panel.api.setActive();
    else api.addPanel({ ...options, ...besideItsLike(api, entry) });
  }

  function close(id: string): void {
    for (const api of apis.values()) api.getPanel(id)?.api.close();
  }

  function isOpen(id: string): boolean {
    return [...open.values()].some((ids) => ids.has(id));
  }

  function reset(activity: Activity): void {
    const api = apis.get(activity);
    if (api !== undefined) buildDefaultLayout(api, activity);
  }
});

/** A tab with those of its place, or else where the place would be. */
function besideItsLike(api: DockviewApi, entry: PanelEntry) {
  const like = api.panels.find(({ params }) => {
    const of = panels.find(({ id }) => id === params?.['panel']);
    return of?.place === entry.place;
  });
  if (like !== undefined) {
    return { position: { referencePanel: like.id, direction: 'within' as const } };
  }
  if (entry.place === 'centre') return {};
  const direction = entry.place === 'bottom' ? ('below' as const) : entry.place;
  return { position: { direction }, initialWidth: 340, initialHeight: 260 };
}
