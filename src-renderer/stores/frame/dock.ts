// The dock of an activity: takes layouts and panels, and says whether its user or its window changed it since.
import type { DockviewApi } from 'dockview-vue';
import {
  defaultLayout,
  dockId,
  edgePx,
  edges,
  minCentreShare,
  panelState,
  type DockLayout,
  type DockSize,
  type Edge,
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
  isHidden: () => boolean;
  hasNewSize: () => boolean;
  /** Its panels have the room of the window at once; the layout is chosen for it later. */
  followSize: () => void;
  /** The present size is that of the layout; an edge that leaves too little of the centre is folded. */
  acceptSize: () => void;
  /** Makes it the front of its tabs; opens it first where it is closed, and its edge where that is folded. */
  open: (entry: PanelEntry, subject: string | null) => void;
  /**
   * Folds an edge to its icons, or opens it where the centre keeps its share. No change of the user's: a default layout stays
   * one.
   */
  fold: (edge: Edge, isFolded: boolean) => void;
  /** True also where the activity has no such edge. */
  isFolded: (edge: Edge) => boolean;
  /** Adds a panel where it belongs. */
  add: (entry: PanelEntry, subject: string | null) => void;
}

/** `panels`: of the activity. `sizeNow`: with its edges; 0 while it is hidden. */
export function createDock(
  api: DockviewApi,
  panels: readonly PanelEntry[],
  sizeNow: () => DockSize,
): Dock {
  /** Edges to be open, where there is room. */
  const open = new Set(edges.filter((edge) => firstAt(edge)?.isOpenAtFirst === true));
  let isDefault = true;
  let isArranging = false;
  let size = sizeNow();
  let shape = '';
  api.onDidAddPanel(showTabs);
  api.onDidRemovePanel(() => {
    showTabs();
    if (!isArranging) removeEmptyEdges(api);
  });

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
      if (isArranging || sizeNow().widthPx === 0 || hasNewSize()) return false;
      if (isDefault && shapeOf(api.toJSON()) === shape) return false;
      isDefault = false;
      return true;
    },
    isHidden: () => sizeNow().widthPx === 0,
    hasNewSize,
    followSize() {
      const { widthPx, heightPx } = sizeNow();
      if (widthPx > 0) api.layout(widthPx, heightPx);
    },
    acceptSize() {
      size = sizeNow();
      arranging(() => {
        const edge = sides.find((one) => acrossPx(api, one) > 0);
        if (edge !== undefined && !hasRoom(api, size, [])) api.getEdgeGroup(edge)?.collapse();
      });
    },
    open(entry, subject) {
      const panel =
        api.getPanel(dockId(entry, subject)) ?? addPanel(api, entry, subject, sizeNow());
      panel.api.setActive();
      const { location } = panel.group.api;
      if (location.type !== 'edge') return;
      const { position } = location;
      if (position !== 'top') arranging(() => unfold(position));
    },
    add: (entry, subject) => void addPanel(api, entry, subject, sizeNow()),
    fold(edge, isFolded) {
      arranging(() => {
        if (isFolded) {
          open.delete(edge);
          api.getEdgeGroup(edge)?.collapse();
        } else {
          open.add(edge);
          if (hasRoomFor(api, edge, sizeNow())) api.getEdgeGroup(edge)?.expand();
        }
      });
    },
    isFolded: (edge) => api.getEdgeGroup(edge)?.isCollapsed() ?? true,
  };

  function firstAt(edge: Edge): PanelEntry | undefined {
    return panels.find(({ place }) => place === edge);
  }

  /** Where too little is left of the centre, the edge across is folded. */
  function unfold(edge: Edge): void {
    open.add(edge);
    const isWide = hasRoomFor(api, edge, sizeNow());
    api.getEdgeGroup(edge)?.expand();
    if (!isWide) api.getEdgeGroup(edge === 'left' ? 'right' : 'left')?.collapse();
  }

  /** A view that is alone in the centre has no tab. */
  function showTabs(): void {
    const centre = api.groups.filter((group) => group.api.location.type === 'grid');
    for (const group of centre) {
      const isAlone = centre.length === 1 && group.panels.length === 1;
      group.model.header.hidden = isAlone && group.panels[0]?.params?.['subject'] === null;
    }
  }

  function arranging(change: () => void): void {
    isArranging = true;
    try {
      change();
      shape = shapeOf(api.toJSON());
    } finally {
      // Why later: the dock reports its changes when all is done.
      setTimeout(() => (isArranging = false));
    }
  }

  function hasNewSize(): boolean {
    const now = sizeNow();
    return (
      now.widthPx !== size.widthPx || now.heightPx !== size.heightPx || now.scale !== size.scale
    );
  }

  function arrangeDefault(): void {
    arrange(defaultLayout(panels, sizeNow(), open));
    isDefault = true;
  }

  function arrange(layout: DockLayout): void {
    arranging(() => {
      api.fromJSON(layout, { reuseExistingPanels: true });
      for (const edge of edges) {
        if (layout.edgeGroups?.[edge] === undefined && api.getEdgeGroup(edge) !== undefined) {
          api.removeEdgeGroup(edge);
        }
      }
      size = sizeNow();
      if (size.widthPx > 0) api.layout(size.widthPx, size.heightPx);
      showTabs();
    });
  }
}

const sides = ['right', 'left'] as const;

/** The centre keeps its share of the width beside an edge that is opened and the edge across. */
function hasRoomFor(api: DockviewApi, edge: Edge, size: DockSize): boolean {
  return edge === 'bottom' || hasRoom(api, size, [edge]);
}

/** The same beside the edges that are open and `opened`. */
function hasRoom(api: DockviewApi, size: DockSize, opened: readonly ('left' | 'right')[]): boolean {
  const takenPx = sides.map((edge) =>
    opened.includes(edge) ? edgePx(edge, size) : acrossPx(api, edge),
  );
  const restPx = takenPx.reduce((rest, px) => rest - px, size.widthPx);
  return size.widthPx === 0 || restPx >= minCentreShare * size.widthPx;
}

/** Width of an edge; 0: it is folded, or there is none. */
function acrossPx(api: DockviewApi, edge: 'left' | 'right'): number {
  const group = api.getEdgeGroup(edge);
  return group === undefined || group.isCollapsed() ? 0 : group.width;
}

function removeEmptyEdges(api: DockviewApi): void {
  for (const group of [...api.groups]) {
    const { location } = group.api;
    if (location.type === 'edge' && group.size === 0) api.removeEdgeGroup(location.position);
  }
}

/** A tab with those of its place. */
function addPanel(api: DockviewApi, entry: PanelEntry, subject: string | null, size: DockSize) {
  const state = { ...panelState(entry, subject), component: 'DockPanel' };
  const { place } = entry;
  if (place === 'centre') {
    const neighbour = api.panels.find(({ group }) => group.api.location.type === 'grid');
    if (neighbour === undefined) return api.addPanel(state);
    const position = { referencePanel: neighbour.id, direction: 'within' as const };
    return api.addPanel({ ...state, position });
  }
  const group =
    api.getEdgeGroup(place) ??
    api.addEdgeGroup(place, { id: `group-${place}`, initialSize: edgePx(place, size) });
  return api.addPanel({ ...state, position: { referenceGroup: group.id } });
}

/** Where each panel is, and how large; not which is in front. */
function shapeOf({ grid, floatingGroups = [], edgeGroups = {} }: DockLayout): string {
  const walk = ({ data, size }: DockLayout['grid']['root']): unknown => [
    Math.round(size ?? 0),
    Array.isArray(data) ? data.map(walk) : data.views,
  ];
  const atEdges = edges.map((edge) => {
    const one = edgeGroups[edge];
    const { views } = (one?.group ?? {}) as { views?: string[] };
    return [Math.round(one?.size ?? 0), one?.collapsed === true, views ?? []];
  });
  return JSON.stringify([walk(grid.root), floatingGroups.length, atEdges]);
}
