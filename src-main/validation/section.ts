// Results of an experiment, as data: texts, drawings, pictures, tables, criteria. It depends neither on charts
// libraries nor HTML.
import type { Chart } from '#domain/charts/chart.ts';
import type { Criterion, LearnedMetrics, ValidationMetrics } from '#contract/host/validation.ts';

/** The report of an experiment. Texts are plain; one string is a paragraph. */
export interface Section {
  /** The statement that is put to the test, with its source. */
  paper: string[];
  /** How it was done and what came out. */
  ours: string[];
  charts: TitledChart[];
  pictures: Picture[];
  tables: Table[];
  criteria: Criterion[];
  /** Its part of validate.json. */
  metrics: SectionMetrics;
}

/** A section; what it does not have is empty. */
export function section(parts: Pick<Section, 'paper' | 'ours'> & Partial<Section>): Section {
  return { charts: [], pictures: [], tables: [], criteria: [], metrics: {}, ...parts };
}

/** Metrics of learned models may come from several experiments. */
export type SectionMetrics = Partial<Omit<ValidationMetrics, 'learned'>> & {
  learned?: Partial<LearnedMetrics>;
};

/** A chart with the text around it. */
export interface TitledChart extends Chart {
  title: string;
  /** Below the drawing. */
  caption?: string;
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
  /** Cells as they are to appear. */
  rows: string[][];
  caption?: string;
}
