// The seam of the validation: an experiment is given a bench (bench.ts) to scan with, and gives a section
// (section.ts) of the report. The report is independent of experiments.
import type { ValidationBench } from './bench.ts';
import type { Section } from './section.ts';
import type { Steps } from './steps.ts';

export interface Experiment {
  /** As in `--only`. */
  name: string;
  title: string;
  run: (bench: ValidationBench, options: ExperimentOptions) => Promise<Section>;
  /** No part of the shorter form. */
  isFullOnly?: boolean;
}

export interface ExperimentOptions {
  /** The shorter form, part of `npm test`: fewer beams and cases, the same criteria. */
  isQuick: boolean;
  /** The form of `--learned`: millions of beams, hours. */
  isLong: boolean;
  /** Results of an earlier attempt. */
  steps: Steps;
  /** Criteria hold for each of them; the worst is shown. */
  seeds: readonly number[];
  /** Called with the progress, 0 to 1. */
  onProgress: (share: number) => void;
}
