// Layouts of a dock as plain data: the default one of an activity, and the check of one that was stored. On a
// narrow window the default has two groups, one above the other: the centre, and all the rest as tabs.
import type { Orientation, SerializedDockview, SerializedGridObject } from 'dockview-vue';
import { clamp } from '#domain/shared/numbers.ts';

export type DockLayout = SerializedDockview;

/** A panel as the layout needs it. */
export interface PlacedPanel {
  id: string;
  title: string;
  /** In the default layout. Panels of one place share it as tabs, in this order. */
  place: 'left' | 'centre' | 'right' | 'bottom';
  /** Under the panels before it at its place, instead of a tab beside them. */
  isBelow?: boolean;
  /** Share of the height, for the first of several groups at its place; left out: most of it. */
  heightShare?: number;
  /** Opened for a subject (usePanel().subject), several side by side, and in no default layout. */
  isForSubject?: boolean;
}

export interface DockSize {
  widthPx: number;
  heightPx: number;
  /** How much larger than drawn words and controls are. */
  scale: number;
}

type Group = { views: string[]; activeView: string; id: string };
type GridNode = SerializedGridObject<Group>;

/** Width of a page as drawn; below it there is no room to work side by side. */
const narrowPx = 900;
/** Share of the height for the first of stacked groups at a side: it has what one begins with. */
const firstShare = 0.72;

/** The id of a panel in a dock. */
export function dockId(panel: PlacedPanel, subject: string | null): string {
  return subject === null ? panel.id : `${panel.id}:${subject}`;
}

/** The state of a panel for a dock, whether it is added or part of a layout. */
export function panelState(panel: PlacedPanel, subject: string | null) {
  return {
    id: dockId(panel, subject),
    title: panel.title,
    tabComponent: 'DockTab',
    renderer: 'always' as const,
    params: { panel: panel.id, subject },
    minimumWidth: panel.place === 'centre' ? 320 : 220,
    minimumHeight: 120,
  };
}

/** The layout with which an activity begins, by the places of its panels. */
export function defaultLayout(all: readonly PlacedPanel[], size: DockSize): DockLayout {
  const panels = all.filter((panel) => panel.isForSubject !== true);
  const { widthPx, heightPx, scale } = size;
  const at = (place: PlacedPanel['place']): string[][] => groupsOf(panels, place);
  const flat = (groups: string[][]): string[][] => (groups.length === 0 ? [] : [groups.flat()]);
  const stack = (groups: string[][], px: number): GridNode[] => {
    const first = panels.find(({ id }) => id === groups[0]?.[0]);
    return stacked(groups, px, first?.heightShare ?? firstShare);
  };
  let nodes: GridNode[];
  let axis: 'HORIZONTAL' | 'VERTICAL' = 'HORIZONTAL';
  if (widthPx < narrowPx * scale) {
    axis = 'VERTICAL';
    const rest = flat([...at('left'), ...at('right'), ...at('bottom')]);
    nodes = [...flat(at('centre')), ...rest].map((ids) => leaf(ids, heightPx / 2));
  } else {
    const leftPx = clamp(0.28 * widthPx, 300 * scale, 410 * scale);
    const rightPx = clamp(0.22 * widthPx, 280 * scale, 380 * scale);
    const bottomPx = clamp(0.38 * heightPx, 220 * scale, 420 * scale);
    const [left, right, bottom] = [at('left'), at('right'), at('bottom')];
    const restPx = widthPx - (left.length > 0 ? leftPx : 0);
    const upperPx = heightPx - (bottom.length > 0 ? bottomPx : 0);
    const centrePx = restPx - (right.length > 0 ? rightPx : 0);
    const upper = [
      ...column(stack(at('centre'), upperPx), centrePx),
      ...column(stack(right, upperPx), rightPx),
    ];
    // Why under both: the area below is wide, and the centre is narrow between two sides.
    const below = bottom.map((ids) => leaf(ids, bottomPx / bottom.length));
    nodes = [
      ...column(stack(left, heightPx), leftPx),
      ...(below.length === 0 ? upper : column([...row(upper, upperPx), ...below], restPx)),
    ];
  }
  const panelStates = panels.map((panel) => ({
    ...panelState(panel, null),
    contentComponent: 'DockPanel',
  }));
  const centre = at('centre')[0]?.[0];
  return {
    grid: {
      root: { type: 'branch', data: nodes, size: axis === 'HORIZONTAL' ? heightPx : widthPx },
      width: widthPx,
      height: heightPx,
      orientation: axis as Orientation,
    },
    panels: Object.fromEntries(panelStates.map((state) => [state.id, state])),
    ...(centre !== undefined && { activeGroup: groupId(centre) }),
  };
}

/**
 * A layout that was stored, or null where it is junk or has panels that there are no more. `isKnown` says of what
 * the panel's params name whether it can be shown.
 */
export function checkLayout(
  value: unknown,
  isKnown: (panel: string, subject: string | null) => boolean,
): DockLayout | null {
  if (!isRecord(value) || !isRecord(value['grid']) || !isRecord(value['panels'])) return null;
  const { root, width, height, orientation } = value['grid'];
  if (!isSize(width) || !isSize(height)) return null;
  if (orientation !== 'HORIZONTAL' && orientation !== 'VERTICAL') return null;
  const ids = Object.keys(value['panels']);
  const areKnown = Object.entries(value['panels']).every(([id, panel]) => {
    if (!isRecord(panel) || panel['id'] !== id || !isRecord(panel['params'])) return false;
    if (panel['contentComponent'] !== 'DockPanel') return false;
    const { panel: kind, subject = null } = panel['params'];
    const isSubject = subject === null || typeof subject === 'string';
    return typeof kind === 'string' && isSubject && isKnown(kind, subject);
  });
  const floating = value['floatingGroups'] ?? [];
  if (!areKnown || !Array.isArray(floating) || value['popoutGroups'] !== undefined) return null;
  const floatingIds = floating.map((one) => (isRecord(one) ? viewsOf(one['data']) : null));
  const shown = [viewsOfNode(root, 0), ...floatingIds];
  if (shown.includes(null)) return null;
  const placed = shown.flatMap((views) => views ?? []);
  // Why both: a panel that is missing or placed twice breaks the dock.
  if (placed.length !== ids.length || !ids.every((id) => placed.includes(id))) return null;
  return value as unknown as DockLayout;
}

/** Deeper than anybody docks. */
const maxDepth = 20;

function viewsOfNode(node: unknown, depth: number): string[] | null {
  if (!isRecord(node) || depth > maxDepth) return null;
  if (node['type'] === 'leaf') return viewsOf(node['data']);
  if (node['type'] !== 'branch' || !Array.isArray(node['data'])) return null;
  const parts = node['data'].map((child: unknown) => viewsOfNode(child, depth + 1));
  return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
}

function viewsOf(group: unknown): string[] | null {
  if (!isRecord(group) || typeof group['id'] !== 'string' || !Array.isArray(group['views'])) {
    return null;
  }
  const views: unknown[] = group['views'];
  return views.every((view) => typeof view === 'string') ? views : null;
}

/** Panels of one place: those that are tabs of each other together. */
function groupsOf(panels: readonly PlacedPanel[], place: PlacedPanel['place']): string[][] {
  const groups: string[][] = [];
  for (const panel of panels.filter((one) => one.place === place)) {
    const last = groups.at(-1);
    if (last === undefined || panel.isBelow === true) groups.push([panel.id]);
    else last.push(panel.id);
  }
  return groups;
}

function groupId(panelId: string): string {
  return `group-${panelId}`;
}

function leaf(ids: string[], size: number): GridNode {
  const first = ids[0] ?? '';
  return {
    type: 'leaf',
    data: { views: ids, activeView: first, id: groupId(first) },
    size: Math.round(size),
  };
}

function stacked(groups: string[][], heightPx: number, share: number): GridNode[] {
  const firstPx = groups.length === 1 ? heightPx : share * heightPx;
  const otherPx = (heightPx - firstPx) / Math.max(1, groups.length - 1);
  return groups.map((ids, at) => leaf(ids, at === 0 ? firstPx : otherPx));
}

/** Groups one above the other. */
function column(groups: GridNode[], widthPx: number): GridNode[] {
  const size = Math.round(widthPx);
  const [only] = groups;
  if (only === undefined) return [];
  if (groups.length === 1) return [{ ...only, size }];
  return [{ type: 'branch', data: groups, size }];
}

/** Columns side by side, as one of stacked groups. */
function row(columns: GridNode[], heightPx: number): GridNode[] {
  const size = Math.round(heightPx);
  const [only] = columns;
  if (only === undefined) return [];
  if (columns.length > 1) return [{ type: 'branch', data: columns, size }];
  return Array.isArray(only.data) ? only.data : [{ ...only, size }];
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
