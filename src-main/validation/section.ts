// What an experiment has to show, as data: texts, drawings, pictures, tables, criteria. It knows neither charts
// libraries nor HTML.
import type { Criterion, ValidationFigures } from '#contract/host/validation.ts';

/** What an experiment has to show. Texts are plain; one string is a paragraph. */
export interface Section {
  /** The statement that is put to the test, with its source. */
  paper: string[];
  /** How it was done and what came out. */
  ours: string[];
  charts: Chart[];
  pictures: Picture[];
  tables: Table[];
  criteria: Criterion[];
  /** Its part of validate.json. */
  figures: Partial<ValidationFigures>;
}

/** One drawing in x and y. */
export interface Chart {
  title: string;
  x: Axis;
  y: Axis;
  series: Series[];
  /** Lines across the drawing at a value of x or y. */
  marks?: { axis: 'x' | 'y'; at: number; label: string }[];
  /** The same scale on both axes: plans and scan plots. */
  isPlan?: boolean;
  /** Below the drawing. */
  caption?: string;
}

export interface Axis {
  name: string;
  /** '' for a pure number. */
  unit: string;
  from?: number;
  to?: number;
  isLog?: boolean;
  /** Greater values to the left or below. */
  isReversed?: boolean;
}

export interface Series {
  name: string;
  /** 'bars': columns of a histogram, x being their centres and `widthX` their width. */
  kind: 'line' | 'dashed' | 'points' | 'bars';
  data: readonly (readonly [x: number, y: number])[];
  widthX?: number;
  /** Half lengths of the error bars, one for each point. */
  errors?: readonly number[];
  /** '#rrggbb'; default: the next of the palette. */
  colour?: string;
}

/** Pixels, rows from the top; or a grey or coloured map that the experiment has drawn. */
export interface Picture {
  title: string;
  caption?: string;
  widthPx: number;
  heightPx: number;
  /** 3 · width · height. */
  rgb: Uint8Array;
}

export interface Table {
  title: string;
  columns: string[];
  /** Cells as they are to stand there. */
  rows: string[][];
  caption?: string;
}
