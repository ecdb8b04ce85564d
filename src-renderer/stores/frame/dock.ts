// The dock of an activity: takes layouts and panels, and says whether its user or its window changed it since.
import type { DockviewApi } from 'dockview-vue';
import {
  defaultLayout,
  dockId,
  panelState,
  type DockLayout,
  type DockSize,
} from '#renderer/logic/frame/dockLayout.ts';
import type { PanelEntry } from './panelList.ts';

export interface Dock {
  readonly api: DockviewApi;
  /** As the activity begins: follows the window's size. */
  isDefault: () => boolean;
  /** @throws what the dock throws at a layout that it cannot make */
  arrange: (layout: DockLayout) => void;
  arrangeDefault: () => void;
  /** The default layout for the present size, with the same tabs in front. */
  refit: () => void;
  /** To be called when the dock reports a change. True where the user made it: the layout is no default any more. */
  noteChange: () => boolean;
  hasNewSize: () => boolean;
  /** The present size is that of the layout. */
  acceptSize: () => void;
  /** Makes it the front of its tabs; opens it first where it is closed. */
  open: (entry: PanelEntry, subject: string | null) => void;
  /** Adds a panel where it belongs. */
  add: (entry: PanelEntry, subject: string | null) => void;
}

/** `panels`: of the activity. */
export function createDock(
  api: DockviewApi,
  panels: readonly PanelEntry[],
  scale: () => number,
): Dock {
  let isDefault = true;
  let isArranging = false;
  let size = sizeNow();
  let shape = '';

  return {
    api,
    isDefault: () => isDefault,
    arrange(layout) {
      arrange(layout);
      isDefault = false;
    },
    arrangeDefault,
    refit() {
      const front = api.groups.map(({ activePanel }) => activePanel?.id);
      const last = api.activePanel?.id;
      arrangeDefault();
      for (const id of [...front, last]) if (id !== undefined) api.getPanel(id)?.api.setActive();
    },
    noteChange() {
      // Why the size: a window that changes its size is no change of the layout.
      if (isArranging || api.width === 0 || hasNewSize()) return false;
      if (isDefault && shapeOf(api.toJSON()) === shape) return false;
      isDefault = false;
      return true;
    },
    hasNewSize,
    acceptSize() {
      size = sizeNow();
    },
    open(entry, subject) {
      const panel = api.getPanel(dockId(entry, subject)) ?? addPanel(panels, api, entry, subject);
      panel.api.setActive();
    },
    add: (entry, subject) => void addPanel(panels, api, entry, subject),
  };

  function sizeNow(): DockSize {
    return { widthPx: api.width, heightPx: api.height, scale: scale() };
  }

  function hasNewSize(): boolean {
    const now = sizeNow();
    return (
      now.widthPx !== size.widthPx || now.heightPx !== size.heightPx || now.scale !== size.scale
    );
  }

  function arrangeDefault(): void {
    arrange(defaultLayout(panels, sizeNow()));
    isDefault = true;
  }

  function arrange(layout: DockLayout): void {
    isArranging = true;
    try {
      const { width, height } = api;
      api.fromJSON(layout, { reuseExistingPanels: true });
      if (width > 0) api.layout(width, height);
      size = sizeNow();
      shape = shapeOf(api.toJSON());
    } finally {
      // Why later: the dock reports its changes when all is done.
      setTimeout(() => (isArranging = false));
    }
  }
}

/** A tab with those of its place, or else where the place would be. */
function addPanel(
  panels: readonly PanelEntry[],
  api: DockviewApi,
  entry: PanelEntry,
  subject: string | null,
) {
  const neighbour = api.panels.find(({ params }) => {
    const of = panels.find(({ id }) => id === params?.['panel']);
    return of?.place === entry.place;
  });
  const state = { ...panelState(entry, subject), component: 'DockPanel' };
  if (neighbour !== undefined) {
    const position = { referencePanel: neighbour.id, direction: 'within' as const };
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

/** Where each panel is, and how large; not which is in front. */
function shapeOf({ grid, floatingGroups = [] }: DockLayout): string {
  const walk = ({ data, size }: DockLayout['grid']['root']): unknown => [
    Math.round(size ?? 0),
    Array.isArray(data) ? data.map(walk) : data.views,
  ];
  return JSON.stringify([walk(grid.root), floatingGroups.length]);
}
