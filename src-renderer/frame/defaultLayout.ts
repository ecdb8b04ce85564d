// The layout with which an activity begins, by where the registry says its panels stand. On a narrow window
// there are two groups, one above the other: what is in the centre, and all the rest as tabs.
import type { AddPanelOptions, DockviewApi } from 'dockview-vue';
import { panels, type PanelEntry } from '#renderer/panels/registry.ts';
import type { Activity } from '#renderer/stores/place.ts';

/** Below this width of the window side by side leaves no room to work. */
export const narrowPx = 900;

const sides = ['left', 'right', 'bottom'] as const;

/** The options with which any panel of the registry is added. */
export function panelOptions(entry: PanelEntry, subject: string | null) {
  return {
    id: subject === null ? entry.id : `${entry.id}:${subject}`,
    component: 'DockPanel',
    tabComponent: 'DockTab',
    title: entry.title,
    renderer: 'always' as const,
    params: { panel: entry.id, subject },
    minimumWidth: entry.place === 'centre' ? 320 : 220,
    minimumHeight: 120,
  };
}

/** Takes everything away and builds the default. */
export function buildDefaultLayout(api: DockviewApi, activity: Activity): void {
  api.clear();
  const entries = panels.filter(
    (entry) => entry.activity === activity && entry.isForSubject !== true,
  );
  const at = (place: PanelEntry['place']): PanelEntry[] =>
    entries.filter((entry) => entry.place === place);
  addPlace(api, at('centre'), {});
  if (api.width < narrowPx) {
    const rest = sides.flatMap(at).map((entry) => ({ ...entry, isBelow: false }));
    addPlace(api, rest, below(Math.round(0.5 * api.height)));
  } else {
    addPlace(api, at('bottom'), below(Math.round(clamp(0.32 * api.height, 180, 360))));
    addPlace(api, at('left'), beside('left', Math.round(clamp(0.28 * api.width, 300, 420))));
    addPlace(api, at('right'), beside('right', Math.round(clamp(0.25 * api.width, 280, 380))));
  }
  api.getPanel(at('centre')[0]?.id ?? '')?.api.setActive();
}

function below(heightPx: number): Partial<AddPanelOptions> {
  return { position: { direction: 'below' }, initialHeight: heightPx };
}

function beside(direction: 'left' | 'right', widthPx: number): Partial<AddPanelOptions> {
  return { position: { direction }, initialWidth: widthPx };
}

function addPlace(
  api: DockviewApi,
  entries: readonly PanelEntry[],
  first: Partial<AddPanelOptions>,
): void {
  let group: string | null = null;
  const groups: string[] = [];
  for (const entry of entries) {
    const where: Partial<AddPanelOptions> =
      group === null
        ? first
        : {
            position: {
              referencePanel: group,
              direction: entry.isBelow === true ? 'below' : 'within',
            },
          };
    const isFirst = group === null || entry.isBelow === true;
    api.addPanel({ ...panelOptions(entry, null), ...where });
    if (!isFirst) continue;
    group = entry.id;
    groups.push(entry.id);
  }
  // Why last: a panel that is added comes to the front of its group.
  for (const id of groups) api.getPanel(id)?.api.setActive();
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
