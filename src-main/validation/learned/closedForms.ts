// Learned models against closed forms (PHYSICS.md, 4.14): metrics, learning, elements in scenes.
import { formsOf, formsTable, metricsOf } from '../closedForm.ts';
import type { Experiment } from '../experiment.ts';
import { joinParts, runPieces, type Piece } from '../parts.ts';
import { learningForms } from './forms/learningForms.ts';
import { metricForms } from './forms/metricForms.ts';
import { sceneForms } from './forms/sceneForms.ts';

const pieces: readonly Piece[] = [metricForms, learningForms, sceneForms];

export const learnedClosedForms: Experiment = {
  name: 'learned-closed-forms',
  title: 'Learned models: closed forms',
  async run(bench, options) {
    const parts = await runPieces(pieces, bench, options);
    const forms = formsOf(parts);
    const joined = joinParts(parts);
    return {
      paper: [
        'Permeability is N_m/(N_h + N_m); a beam passes what it pierces with the product of permeabilities; ranges follow the mixture of what it meets (Browning 2012, sections 3.3 and 5.4).',
        'The expected values come from laws of the logs that were written: planes with normal noise, free paths in a homogeneous medium, histograms and clouds with known distances.',
      ],
      ...joined,
      charts: [],
      pictures: [],
      tables: [formsTable('Learned models against closed forms', forms)],
      metrics: {
        learned: {
          closedForms: [
            ...metricsOf(forms).map(({ measured: value, name, expected, tolerance, pass }) => ({
              ...{ name, value, expected, tolerance, pass },
            })),
            ...joined.criteria
              .filter(({ comparison }) => comparison === 'below')
              .map(({ name, value, expected, pass }) => ({
                ...{ name, value, expected, tolerance: 0, pass },
              })),
          ],
        },
      },
    };
  },
};
