// `understory scenario`, `schema` and `docs`: the documents a person writes.
import type { Command } from 'commander';
import { UnderstoryError } from '#contract/errors.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import {
  documentKinds,
  publishedSchema,
  type DocumentKind,
} from '#contract/documents/publishedSchemas.ts';
import { referenceMarkdown } from '#domain/scenario/formatReference.ts';
import { parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile, writeWhole } from '../files.ts';
import { withSession } from '../session.ts';
import { bytesText, countText } from '#domain/shared/formats.ts';
import { tableLines } from '../table.ts';
import { addAddModel } from './addModel.ts';
import { addScenarioImport } from './scenarioImport.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

/** Adds the commands to the program. */
export function addDocuments(program: Command, host: CommandHost): void {
  const scenario = program
    .command('scenario')
    .description('check, plan, import and list scenarios; add models to them');
  addCheck(scenario, host);
  addPlan(scenario, host);
  addScenarioImport(scenario, host);
  addAddModel(scenario, host);
  addScenarioList(scenario, host);
  addSchema(program, host);
  addReference(program, host);
}

function addCheck(scenario: Command, { surroundings, end }: CommandHost): void {
  const command = scenario
    .command('check')
    .description('every problem of a scenario and of the files it refers to')
    .argument('<scenario>', 'a scenario file, or the name of a sample')
    .option('--json', 'print the problems as JSON')
    .action(async (name: string) => {
      const options = optionsOf<{ json?: boolean }>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { problems, notices } = (await call('scenario.check', { scenario: name })).reply;
        if (options.json === true) terminal.print(JSON.stringify(problems, null, 2));
        if (problems.length > 0) {
          throw new UnderstoryError('bad-input', `scenario '${name}' has problems`, { problems });
        }
        for (const { path, message } of notices) terminal.say(`${path}: ${message}`);
        terminal.say(`${name}: no problems`);
      });
      end(exitCodes.ok);
    });
}

function addPlan(scenario: Command, { surroundings, end }: CommandHost): void {
  const command = scenario
    .command('plan')
    .description('triangles, extents and memory of a scenario before anything is built')
    .argument('<scenario>', 'a scenario file, or the name of a sample')
    .option('--seed <n>', "default: the scenario's", parseNumber)
    .option('--json', 'print the result as JSON')
    .action(async (name: string) => {
      const options = optionsOf<{ json?: boolean; seed?: number }>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { seed } = options;
        const { reply } = await call('scenario.plan', { scenario: name, ...defined({ seed }) });
        terminal.endProgress();
        const lines = options.json === true ? [JSON.stringify(reply, null, 2)] : planLines(reply);
        for (const line of lines) terminal.print(line);
      });
      end(exitCodes.ok);
    });
}

function planLines(summary: SceneSummary): string[] {
  const span = (axis: 0 | 1 | 2): string =>
    `${summary.minM[axis].toFixed(2)} to ${summary.maxM[axis].toFixed(2)}`;
  return [
    `instanced triangles   ${countText(summary.instancedTriangles)}`,
    `unique triangles      ${countText(summary.uniqueTriangles)}`,
    `degenerate, dropped   ${countText(summary.degenerateTriangles)}`,
    `instances             ${countText(summary.instances)}`,
    `extent (m)            x ${span(0)}, y ${span(1)}, z ${span(2)}`,
    `memory                ${bytesText(summary.memoryBytes)}`,
    `scene                 ${summary.sceneHash}`,
    '',
    ...tableLines(summary.models, [
      { title: 'model', value: ({ name }) => name },
      { title: 'triangles', value: ({ triangles }) => countText(triangles), align: 'right' },
      { title: 'degenerate', value: ({ degenerate }) => countText(degenerate), align: 'right' },
      { title: 'instances', value: ({ instances }) => countText(instances), align: 'right' },
      { title: 'blades', value: ({ blades }) => countText(blades), align: 'right' },
      { title: 'memory', value: ({ memoryBytes }) => bytesText(memoryBytes), align: 'right' },
    ]),
    ...summary.scatters
      .filter(({ requested, placed }) => placed < requested)
      .map(
        ({ name, requested, placed }) =>
          `\nscatter ${name}: only ${countText(placed)} of ${countText(requested)} found room`,
      ),
  ];
}

function addScenarioList(scenario: Command, { surroundings, end }: CommandHost): void {
  const command = scenario
    .command('list')
    .description('the scenarios that come with Understory')
    .option('--json', 'print as JSON')
    .action(async () => {
      const options = optionsOf<{ json?: boolean }>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { reply } = await call('scenario.list', {});
        if (options.json === true) return terminal.print(JSON.stringify(reply, null, 2));
        const lines = tableLines(reply, [
          { title: 'id', value: ({ id }) => id },
          { title: 'description', value: ({ description }) => description },
        ]);
        for (const line of lines) terminal.print(line);
      });
      end(exitCodes.ok);
    });
}

function addSchema(program: Command, { surroundings, end }: CommandHost): void {
  program
    .command('schema')
    .description('the JSON Schema of a document, for editors')
    .argument('<document>', 'scenario, sensor, plant or campaign')
    .action((document: string) => {
      const schema = publishedSchema(documentKindOf(document));
      surroundings.output.stdout(`${JSON.stringify(schema, null, 2)}\n`);
      end(exitCodes.ok);
    });
}

function addReference(program: Command, { surroundings, end }: CommandHost): void {
  const command = program
    .command('docs')
    .description('the reference of a document format with an example, as Markdown')
    .argument('<document>', 'scenario, sensor, plant or campaign')
    .option('--out <file>', 'default: stdout')
    .option('--force', 'replace an existing file')
    .action(async (document: string) => {
      const options = optionsOf<{ out?: string; force?: boolean }>(command);
      const kind = documentKindOf(document);
      const file =
        options.out === undefined ? null : prepareFile(surroundings, options.out, options);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const markdown = referenceMarkdown((await call('document.reference', { kind })).reply);
        if (file === null) return surroundings.output.stdout(markdown);
        writeWhole(file, markdown);
        terminal.say(file);
      });
      end(exitCodes.ok);
    });
}

/** @throws UnderstoryError 'bad-input' */
function documentKindOf(name: string): DocumentKind {
  const kind = documentKinds.find((known) => known === name);
  if (kind !== undefined) return kind;
  const known = documentKinds.join(', ');
  throw new UnderstoryError('bad-input', `expected one of ${known}, found '${name}'`);
}
