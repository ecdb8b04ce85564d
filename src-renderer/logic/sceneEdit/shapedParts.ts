// The one table of the parts of a scenario that have a place on the ground: areas, exclusion zones, walls, routes,
// positions, maps. It says where each is in the document and how its points are written.
import { field } from '#contract/documents/unknownData.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { valueAt } from './sceneOutline.ts';

/**
 * How the points of a shape are written at its path. list: one by one, or each in an item by a key. fields: by these
 * keys. place: the value itself. circle: centreM and radiusM. corners: two opposite ones. extent: centreM and sizeM.
 * heading: a place, and beside it an angle by this key. cells: a square of a number of cells. side: that of a tile, by this key.
 */
export type ShapeLayout =
  | { kind: 'list'; key?: string; minPoints: number; canAdd: boolean }
  | { kind: 'fields'; keys: readonly string[] }
  | { kind: 'heading' | 'side'; key: string }
  | { kind: 'place' | 'circle' | 'corners' | 'extent' | 'cells' };

/** 'clear': without instances. */
export type ShapeTone = 'area' | 'clear' | 'route';

export interface ShapedPart {
  /** Path in the document; '*': each entry. */
  at: readonly string[];
  layout: ShapeLayout;
  tone: ShapeTone;
  /** Line between its points. */
  line: 'closed' | 'open' | 'none';
  /** The name of its part is in the view already. */
  isNamedOtherwise?: boolean;
  /** Behind the name of its part; left out: the name alone. */
  word?: string;
  /** Each point has a name: that of its item or these. */
  pointNames?: 'items' | readonly string[];
  /** Heights in the value are heights in the world; otherwise above the ground. */
  isWorldHeight?: (data: unknown, path: DocumentPath) => boolean;
  /** Drawn by what it is, not as a shape; only moved as one. */
  isDrawnOtherwise?: boolean;
  /** Shown with all others, though its part is not selected. */
  isInOverview?: boolean;
  isClosedBy?: string;
  /** Its places are in a tile of its landscape, and are shown in the first one. */
  isInTile?: boolean;
  /** There though its path is not in the document. */
  isImplied?: boolean;
  isLeftOut?: (value: unknown) => boolean;
}

const polygon = { kind: 'list', minPoints: 3, canAdd: true } as const;
const route = { kind: 'list', minPoints: 2, canAdd: true } as const;
const inWorld = (): boolean => true;

function areas(list: string): ShapedPart[] {
  const at = ['scene', list, '*'];
  const area = { layout: polygon, tone: 'area', line: 'closed', isInOverview: true } as const;
  const zone = { layout: { kind: 'circle' }, tone: 'clear', line: 'closed' } as const;
  return [
    { at: [...at, 'areaM'], ...area, word: 'area' },
    { at: [...at, 'keepClear', '*'], ...zone, isInOverview: true, word: 'exclusion zone' },
  ];
}

const trees = {
  layout: { kind: 'list', key: 'positionM', minPoints: 1, canAdd: false },
  tone: 'area',
  line: 'none',
} as const;

/** The same in the tiles of landscapes. */
function inTile(row: ShapedPart): ShapedPart {
  const [, ...inside] = row.at;
  const at = ['scene', 'landscapes', '*', ...inside];
  return { ...row, at, isInTile: true, isInOverview: false };
}

/** A part with a place that is to be drawn and dragged is an entry here. */
export const shapedParts: readonly ShapedPart[] = [
  ...['scatters', 'stands', 'landscapes'].flatMap(areas),
  { at: ['scene', 'stands', '*', 'trees'], ...trees },
  {
    at: ['scene', 'landscapes', '*'],
    layout: { kind: 'side', key: 'sideM' },
    tone: 'area',
    line: 'closed',
    word: 'tile',
    isInTile: true,
  },
  ...['scatters', 'stands'].flatMap((list): ShapedPart[] =>
    areas(list).map((row) => ({ ...inTile(row), word: `${row.word} in tile` })),
  ),
  inTile({ at: ['scene', 'stands', '*', 'trees'], ...trees }),
  {
    at: ['scene', 'walls', '*'],
    layout: { kind: 'fields', keys: ['fromM', 'toM'] },
    tone: 'route',
    line: 'open',
    isNamedOtherwise: true,
  },
  {
    at: ['scene', 'instances', '*', 'positionM'],
    layout: { kind: 'place' },
    tone: 'route',
    line: 'none',
    isDrawnOtherwise: true,
    isWorldHeight: (data, path) => field(valueAt(data, path.slice(0, -1)), 'onGround') === false,
    // Why: it is placed in the frame of its motion.
    isLeftOut: (instance) => field(instance, 'motion') !== undefined,
  },
  {
    at: ['scene', 'ground'],
    layout: { kind: 'extent' },
    tone: 'area',
    line: 'closed',
    word: 'extent',
  },
  {
    at: ['scene', 'ground', 'roads', '*', 'pointsM'],
    layout: route,
    tone: 'route',
    line: 'open',
    word: 'road',
    isInOverview: true,
  },
  {
    at: ['scene', 'motions', '*', 'pointsM'],
    layout: route,
    tone: 'route',
    line: 'open',
    isClosedBy: 'closed',
    isWorldHeight: inWorld,
    isInOverview: true,
  },
  {
    at: ['scene', 'motions', '*', 'keyframes'],
    layout: { kind: 'list', key: 'positionM', minPoints: 1, canAdd: false },
    tone: 'route',
    line: 'none',
    isWorldHeight: inWorld,
  },
  {
    at: ['scene', 'motions', '*', 'pivotM'],
    layout: { kind: 'place' },
    tone: 'route',
    line: 'none',
    word: 'pivot',
    isWorldHeight: inWorld,
  },
  {
    at: ['mission'],
    layout: { kind: 'fields', keys: ['startM', 'goalM'] },
    tone: 'route',
    line: 'open',
    pointNames: ['start', 'goal'],
    isInOverview: true,
  },
  {
    at: ['mission', 'startM'],
    layout: { kind: 'heading', key: 'startYawDeg' },
    tone: 'route',
    line: 'open',
    isNamedOtherwise: true,
    word: 'heading',
  },
  {
    at: ['navigation', 'costMap'],
    layout: { kind: 'cells' },
    tone: 'area',
    line: 'closed',
    word: 'cost map',
    isImplied: true,
  },
  {
    at: ['estimate', 'boxM'],
    layout: { kind: 'corners' },
    tone: 'area',
    line: 'closed',
    word: 'box',
  },
  {
    at: ['survey', 'strips', '*'],
    layout: { kind: 'fields', keys: ['fromM', 'toM'] },
    tone: 'route',
    line: 'open',
    word: 'strip',
    isInOverview: true,
  },
  {
    at: ['survey', 'areaM'],
    layout: { kind: 'corners' },
    tone: 'area',
    line: 'closed',
    word: 'area',
    isInOverview: true,
  },
  {
    at: ['survey', 'positions'],
    layout: { kind: 'list', key: 'positionM', minPoints: 1, canAdd: true },
    tone: 'route',
    line: 'open',
    pointNames: 'items',
    isWorldHeight: (data) => field(field(data, 'survey'), 'above') === 'zero',
    isInOverview: true,
  },
];
