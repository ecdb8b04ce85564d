// `understory learn evaluate`: learned models against the log of another drive; table, JSON and a page with figures.
import type { Command } from 'commander';
import type { Columns } from '#contract/columns.ts';
import type { LearnReplies } from '#contract/host/learnMethods.ts';
import { addAction, jsonText } from '../command.ts';
import { writeWhole } from '../files.ts';
import type { EvaluatedModel } from '../pictures/evaluationDrawings.ts';
import {
  bhattacharyyaNote,
  groupColumns,
  groupRows,
  metricColumns,
  metricRows,
} from '../pictures/metricTables.ts';
import { tableLines } from '../table.ts';
import type { CommandHost } from './shared.ts';

/** Points of each model on the page. */
const pagePoints = 200_000;

export function addEvaluate(learn: Command, host: CommandHost): void {
  addAction(learn, host, 'learn.evaluate', {}, async ({ call, terminal }, given) => {
    const { html } = given.options;
    const points: EvaluatedModel['points'][] = [];
    const { reply } = await call(
      'learn.evaluate',
      { ...given.request, maxPoints: html === undefined ? 0 : pagePoints },
      { onChunk: (_body, columns) => void points.push(pointsOf(columns)) },
    );
    terminal.endProgress();
    const named = namedModels(reply);
    if (given.isJson) terminal.print(jsonText(reply));
    else for (const line of linesOf(named, reply)) terminal.print(line);
    const note = bhattacharyyaNote(metricRows(named, reply.floor));
    if (note !== null) terminal.say(`note: ${note}`);
    if (html === undefined) return;
    // Why only now: the charts' library would slow the start of every other command.
    const { evaluationPage } = await import('../pictures/evaluationPage.ts');
    const drawn = named.flatMap(({ name, ...metrics }, index) => {
      const own = points[index];
      return own === undefined ? [] : [{ name, metrics, points: own }];
    });
    writeWhole(html, evaluationPage(given.written.log, drawn, reply.floor));
    terminal.say(`the page is in ${html}`);
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
