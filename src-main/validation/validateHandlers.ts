// validate.run: the experiments that show what the simulation is worth, and their report.
import type { Handlers } from '#services/handlers.ts';
import { experiments, learnedExperiments } from './experiments.ts';
import type { BenchPorts } from './bench.ts';
import { reportMarkdown } from './report/markdown.ts';
import { validate } from './validate.ts';

export function validateHandlers(ports: BenchPorts): Handlers<'validate'> {
  return {
    'validate.run': async ({ quick: isQuick, learned: isLong, steps, only }, context) => {
      const chosen = isLong ? learnedExperiments : experiments;
      const order = { isQuick, only, isLong, stepsFolder: steps ?? null };
      const outcome = await validate(ports, chosen, order, context);
      // Why only now: the charts' library would slow the start of every other command.
      const { reportPage } = await import('./report/page.ts');
      const { validation } = outcome;
      const reports = { report: reportPage(outcome), markdown: reportMarkdown(outcome) };
      return { reply: { validation, ...reports } };
    },
  };
}
