// `understory validate`: the experiments that show what the simulation is worth. Prints every criterion,
// writes the report and the metrics, and ends well only if all criteria hold.
import type { Command } from 'commander';
import type { Criterion, Validation } from '#contract/host/validation.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile, writeWhole } from '../files.ts';
import { withSession } from '../session.ts';
import { tableLines } from '../table.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

interface ValidateOptions {
  json?: string;
  out?: string;
  quick?: boolean;
  learned?: boolean;
  only?: string[];
}

/** Adds the command to the program. */
export function addValidate(program: Command, { surroundings, end }: CommandHost): void {
  const command = program
    .command('validate')
    .description(
      'carry out the experiments of PHYSICS.md, section 4, and hold them to their criteria',
    )
    .option('--json <file>', 'write the metrics and every criterion')
    .option('--out <file>', 'write the report: an HTML page, or Markdown (.md)', 'validation.html')
    .option('--quick', 'the shorter form: fewer beams and cases, one seed')
    .option(
      '--learned',
      'the experiments of learned models in their long form: hours; resumes from FILE.steps',
    )
    .option('--only <name...>', 'carry out these experiments only')
    .action(async () => {
      const options = optionsOf<ValidateOptions>(command);
      // Why first: a file that cannot be written is known before minutes of scanning.
      const fileOf = (name: string): string =>
        prepareFile(surroundings, name, { ...options, force: true });
      const out = fileOf(options.out ?? 'validation.html');
      const json = options.json === undefined ? null : fileOf(options.json);
      const isPassed = await withSession(surroundings, options, async ({ call, terminal }) => {
        const { quick = false, learned = false, only = [] } = options;
        const steps = learned ? `${json ?? out}.steps` : undefined;
        const request = { quick, only, learned, ...defined({ steps }) };
        const { reply } = await call('validate.run', request);
        const { validation, report, markdown } = reply;
        terminal.endProgress();
        writeWhole(out, out.endsWith('.md') ? markdown : report);
        const { learned: ofLearned, criteria, passed, seconds, version, isa } = validation;
        const stated = learned
          ? { ...ofLearned, criteria, passed, seconds, version, isa }
          : validation;
        if (json !== null) writeWhole(json, `${JSON.stringify(stated, null, 2)}\n`);
        for (const line of linesOf(validation)) terminal.print(line);
        terminal.say(`the report is in ${out}`);
        return validation.passed;
      });
      end(isPassed ? exitCodes.ok : exitCodes.negative);
    });
}

function linesOf({ criteria, seconds }: Validation): string[] {
  const failed = criteria.filter(({ pass }) => !pass);
  return [
    ...tableLines(criteria, [
      { title: 'experiment', value: ({ experiment }) => experiment },
      { title: 'criterion', value: ({ name }) => name },
      { title: 'value', value: ({ value }) => digits(value), align: 'right' },
      { title: 'expected', value: expectationOf, align: 'right' },
      { title: '', value: ({ pass }) => (pass ? 'holds' : 'FAILS') },
    ]),
    '',
    `${criteria.length - failed.length} of ${criteria.length} criteria hold, ${seconds.toFixed(0)} s`,
  ];
}

function expectationOf({ comparison, expected, tolerance }: Criterion): string {
  if (comparison === 'within') return `${digits(expected)} ± ${digits(tolerance)}`;
  const signs = { below: '<', 'at-most': '<=', above: '>', 'at-least': '>=', equal: '=' } as const;
  return `${signs[comparison]} ${digits(expected)}`;
}

function digits(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toPrecision(4);
}
