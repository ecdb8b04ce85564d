// `understory learn evaluate`: learned models against the log of another drive; table, JSON and a page with figures.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Columns } from '#contract/columns.ts';
import type { LearnReplies } from '#contract/host/learnMethods.ts';
import { parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile, writeWhole } from '../files.ts';
import type { EvaluatedModel } from '../pictures/evaluationDrawings.ts';
import {
  bhattacharyyaNote,
  groupColumns,
  groupRows,
  metricColumns,
  metricRows,
} from '../pictures/metricTables.ts';
import { withSession } from '../session.ts';
import { tableLines } from '../table.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

interface EvaluateOptions {
  log: string;
  floor?: string;
  html?: string;
  force?: boolean;
  seed?: number;
  threads?: number;
  json?: boolean;
}

/** Points of each model on the page. */
const pagePoints = 200_000;

export function addEvaluate(learn: Command, { surroundings, end }: CommandHost): void {
  const command = learn
    .command('evaluate')
    .description('learned models against the log of another drive (Browning 2012, section 5)')
    .argument('<model...>', 'files of `learn`')
    .requiredOption('--log <file>', 'a log of a drive that the models were not learned from')
    .option('--floor <file>', 'a second log: what reality differs by from itself; else by sweeps')
    .option('--html <file>', 'write a page with tables and figures')
    .option('--force', 'replace the page where there is one')
    .option('--seed <n>', 'of the ranges that models draw', parseNumber)
    .option('--threads <n>', 'threads of the worker; never changes a metric', parseNumber)
    .option('--json', 'print the metrics as JSON');
  command.action(async (models: string[]) => {
    const options = optionsOf<EvaluateOptions>(command);
    const { floor, html } = options;
    const absolute = (file: string): string => resolve(surroundings.workingFolder, file);
    const inputs = [...models, options.log, ...(floor === undefined ? [] : [floor])];
    const page =
      html === undefined ? null : prepareFile(surroundings, html, { ...options, inputs });
    const points: EvaluatedModel['points'][] = [];
    await withSession(surroundings, options, async ({ call, terminal }) => {
      const { reply } = await call(
        'learn.evaluate',
        {
          models: models.map(absolute),
          log: absolute(options.log),
          maxPoints: page === null ? 0 : pagePoints,
          ...defined({ floor: floor === undefined ? undefined : absolute(floor) }),
          ...defined({ seed: options.seed, threads: options.threads }),
        },
        { onChunk: (_body, columns) => void points.push(pointsOf(columns)) },
      );
      terminal.endProgress();
      const named = namedModels(reply);
      if (options.json === true) terminal.print(JSON.stringify(reply, null, 2));
      else for (const line of linesOf(named, reply)) terminal.print(line);
      const note = bhattacharyyaNote(metricRows(named, reply.floor));
      if (note !== null) terminal.say(`note: ${note}`);
      if (page === null) return;
      // Why only now: the charts' library would slow the start of every other command.
      const { evaluationPage } = await import('../pictures/evaluationPage.ts');
      const drawn = named.flatMap(({ name, ...metrics }, index) => {
        const own = points[index];
        return own === undefined ? [] : [{ name, metrics, points: own }];
      });
      writeWhole(page, evaluationPage(options.log, drawn, reply.floor));
      terminal.say(`the page is in ${page}`);
    });
    end(exitCodes.ok);
  });
}

type Reply = LearnReplies['learn.evaluate'];
type NamedModel = Reply['models'][number] & { name: string };

/** By kind; by kind and file where two are of one kind. */
function namedModels({ models }: Reply): NamedModel[] {
  return models.map((model) => {
    const isOnly = models.filter(({ model: kind }) => kind === model.model).length === 1;
    const file = model.file.slice(model.file.lastIndexOf('/') + 1);
    return { ...model, name: isOnly ? model.model : `${model.model} (${file})` };
  });
}

function linesOf(models: readonly NamedModel[], { floor }: Reply): string[] {
  const groups = (kind: 'classes' | 'ranges'): string[] => {
    const rows = groupRows(models, kind);
    return rows.length === 0 ? [] : ['', ...tableLines(rows, groupColumns)];
  };
  return [
    ...tableLines(metricRows(models, floor), metricColumns),
    ...groups('classes'),
    ...groups('ranges'),
  ];
}

/** Why the cast: the worker's reply was checked for these columns. */
function pointsOf(columns: Columns): EvaluatedModel['points'] {
  return columns as EvaluatedModel['points'];
}
