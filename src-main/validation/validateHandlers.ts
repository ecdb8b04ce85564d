// validate.run: the experiments that show what the simulation is worth, and their report.
import type { Handlers } from '#services/handlers.ts';
import { experiments } from './experiments.ts';
import type { BenchPorts } from './bench.ts';
import { validate } from './validate.ts';

export function validateHandlers(ports: BenchPorts): Handlers<'validate'> {
  return {
    'validate.run': async ({ quick: isQuick, only }, context) => {
      const outcome = await validate(ports, experiments, { isQuick, only }, context);
      // Why only now: the charts' library would slow the start of every other command.
      const { reportPage } = await import('./report/page.ts');
      return { reply: { validation: outcome.validation, report: reportPage(outcome) } };
    },
  };
}
