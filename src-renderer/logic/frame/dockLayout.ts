// Layouts of a dock as plain data: the default one of an activity, and the check of one that was stored. The centre is the
// dock's grid; left, right and bottom are its edges, which fold to a strip of icons.
import type { Orientation, SerializedDockview } from 'dockview-vue';
import { clamp } from '#domain/shared/numbers.ts';

export type DockLayout = SerializedDockview;

export const edges = ['left', 'right', 'bottom'] as const;
export type Edge = (typeof edges)[number];

/** A panel as the layout needs it. */
export interface PlacedPanel {
  id: string;
  title: string;
  /** Path of an SVG of 16 by 16, drawn as lines: the panel's sign at an edge. */
  icon: string;
  /** In the default layout. Panels of one place share it as tabs, in this order. */
  place: Edge | 'centre';
  /** For the first panel of an edge: the edge is open from the start. */
  isOpenAtFirst?: boolean;
  /** Opened for a subject (usePanel().subject), several side by side, and in no default layout. */
  isForSubject?: boolean;
}

export interface DockSize {
  widthPx: number;
  heightPx: number;
  /** How much larger than drawn words and controls are. */
  scale: number;
}

/** Share of the width for the centre: an edge that leaves less is folded. */
export const minCentreShare = 0.5;

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

/** Width, or of the bottom height, of an edge that is open. */
export function edgePx(edge: Edge, { widthPx, heightPx, scale }: DockSize): number {
  if (edge === 'left') return Math.round(clamp(0.26 * widthPx, 264 * scale, 400 * scale));
  if (edge === 'right') return Math.round(clamp(0.22 * widthPx, 280 * scale, 380 * scale));
  return Math.round(clamp(0.36 * heightPx, 200 * scale, 420 * scale));
}

/** The layout of an activity by the places of its panels. `open`: edges that are open, where there is room. */
export function defaultLayout(
  all: readonly PlacedPanel[],
  size: DockSize,
  open: ReadonlySet<Edge>,
): DockLayout {
  const panels = all.filter((panel) => panel.isForSubject !== true);
  const at = (place: PlacedPanel['place']): PlacedPanel[] =>
    panels.filter((panel) => panel.place === place);
  const edgeGroups: DockLayout['edgeGroups'] = {};
  let centrePx = size.widthPx;
  for (const edge of edges) {
    if (at(edge).length === 0) continue;
    const px = edgePx(edge, size);
    const restPx = centrePx - (edge === 'bottom' ? 0 : px);
    const isOpen = open.has(edge) && restPx >= minCentreShare * size.widthPx;
    if (isOpen) centrePx = restPx;
    edgeGroups[edge] = {
      size: px,
      visible: true,
      collapsed: !isOpen,
      group: groupOf(at(edge), edge),
    };
  }
  const states = panels.map((panel) => ({
    ...panelState(panel, null),
    contentComponent: 'DockPanel',
  }));
  const centre = at('centre');
  const { widthPx: width, heightPx: height } = size;
  const leaf = { type: 'leaf' as const, data: groupOf(centre, 'centre'), size: width };
  return {
    grid: {
      root: { type: 'branch', data: centre.length === 0 ? [] : [leaf], size: height },
      width,
      height,
      orientation: 'HORIZONTAL' as Orientation,
    },
    panels: Object.fromEntries(states.map((state) => [state.id, state])),
    edgeGroups,
    ...(centre.length > 0 && { activeGroup: groupId('centre') }),
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
  const shown = [viewsOfNode(root, 0), ...floatingIds, ...viewsOfEdges(value['edgeGroups'] ?? {})];
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

function viewsOfEdges(edgeGroups: unknown): (string[] | null)[] {
  if (!isRecord(edgeGroups)) return [null];
  return Object.entries(edgeGroups).map(([edge, one]) => {
    const isKnown = edges.some((name) => name === edge);
    if (!isKnown || !isRecord(one) || !isSize(one['size'])) return null;
    return viewsOf(one['group']);
  });
}

function groupOf(panels: readonly PlacedPanel[], place: PlacedPanel['place']) {
  const views = panels.map(({ id }) => id);
  return { views, activeView: views[0] ?? '', id: groupId(place) };
}

function groupId(place: PlacedPanel['place']): string {
  return `group-${place}`;
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
