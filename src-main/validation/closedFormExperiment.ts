// An experiment that compares pieces with closed forms: a table of all, and their metrics under its name.
import type { ClosedFormMetrics } from '#contract/host/validation.ts';
import { formsOf, formsTable, metricsOf } from './closedForm.ts';
import type { Experiment } from './experiment.ts';
import type { Section } from './section.ts';
import { joinParts, runPieces, type Piece } from './parts.ts';

/** @param paper sources of the closed forms, as the report states them */
export function closedFormExperiment({
  name,
  title,
  paper,
  pieces,
  metrics,
}: Pick<Experiment, 'name' | 'title'> & {
  paper: string[];
  pieces: readonly Piece[];
  /** The metrics of the closed forms, under the name of the experiment. */
  metrics: (forms: ClosedFormMetrics[]) => Section['metrics'];
}): Experiment {
  return {
    name,
    title,
    async run(bench, options) {
      const parts = await runPieces(pieces, bench, options);
      const forms = formsOf(parts);
      const joined = joinParts(parts);
      return {
        paper,
        ...joined,
        tables: [formsTable(`${title} against closed forms`, forms), ...joined.tables],
        metrics: metrics(metricsOf(forms)),
      };
    },
  };
}
