// The colouring of a run's points, and its ranges: shared by view, controls and legend.
import type { ScaleName } from '#domain/shared/colours.ts';
import type { ValueRange } from './valueRange.ts';

/** Points of a scan can be coloured by these. */
export const pointColourings = [
  'height',
  'intensity',
  'class',
  'range',
  'ring',
  'return',
  'error',
  'sensor',
] as const;
export type PointColouring = (typeof pointColourings)[number];
/** With distances to another cloud, which only some clouds have. */
export type ColourBy = PointColouring | 'distance';

/** Those whose values are one of a list: what is of a place in it has the colour of that place. */
export type ListedColour = 'class' | 'sensor';

export function isListed(by: ColourBy): by is ListedColour {
  return by === 'class' || by === 'sensor';
}

/** Those of points of a scan whose values lie on a scale. */
export const scaledColours = ['height', 'intensity', 'range', 'ring', 'return', 'error'] as const;
export type ScaledColour = Exclude<ColourBy, ListedColour>;

export interface Colouring {
  by: ColourBy;
  scale: ScaleName;
  /** Metres above the world's zero, and away; errors in metres; the others are numbers. Null: no points yet. */
  ranges: Record<ScaledColour, ValueRange | null>;
  /** Ranges that a person chose, in place of those of the points. */
  chosen: Partial<Record<ScaledColour, ValueRange>>;
}

/** The colour scales that a view offers. */
export const scaleChoices: readonly { value: ScaleName; text: string }[] = [
  { value: 'viridis', text: 'Viridis' },
  { value: 'turbo', text: 'Turbo' },
];
