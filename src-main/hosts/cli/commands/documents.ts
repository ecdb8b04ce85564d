// `understory scenario`, `schema`, `docs` and `manual`: the documents a person writes, and what to read about them.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UnderstoryError } from '#contract/errors.ts';
import type { ManualPage } from '#contract/host/manualMethods.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import {
  documentKinds,
  publishedSchema,
  type DocumentKind,
} from '#contract/documents/publishedSchemas.ts';
import { referenceMarkdown } from '#domain/scenario/formatReference.ts';
import { bytesText, countText } from '#domain/shared/formats.ts';
import { addAction, addCommand } from '../command.ts';
import { exitCodes } from '../exitCodes.ts';
import { writeWhole } from '../files.ts';
import { tableLines } from '../table.ts';
import { refuseProblems } from './refusals.ts';
import { addScenarioImport } from './scenarioImport.ts';
import { addScenarioTruth } from './scenarioTruth.ts';
import type { CommandHost } from './shared.ts';

/** Adds the commands to the program. */
export function addDocuments(program: Command, host: CommandHost): void {
  const scenario = program
    .command('scenario')
    .description(
      'check, plan, bake, import and list scenarios; truth of their plants; add models to them',
    );
  addCommand(scenario, host, 'scenario.check', {
    json: ({ problems }) => problems,
    says: ({ problems, notices }, { request: { scenario: name } }) => {
      refuseProblems(`scenario '${name}'`, problems);
      return [...notices.map(({ path, message }) => `${path}: ${message}`), `${name}: no problems`];
    },
  });
  addCommand(scenario, host, 'scenario.plan', { lines: planLines });
  addCommand(scenario, host, 'scenario.bake', {
    lines: ({ file, bodies, poses, seconds }) => [
      `${countText(bodies)} bodies over ${seconds} s, ${countText(poses)} poses: ${file}`,
    ],
  });
  addScenarioTruth(scenario, host);
  addScenarioImport(scenario, host);
  addAddModel(scenario, host);
  addCommand(scenario, host, 'scenario.list', {
    lines: (reply) =>
      tableLines(reply, [
        { title: 'id', value: ({ id }) => id },
        { title: 'description', value: ({ description }) => description },
      ]),
  });
  addSchema(program, host);
  addReference(program, host);
  addCommand(program, host, 'manual.read', {
    lines: (pages, { request: { page } }) =>
      page === undefined ? manualLines(pages) : pages.map(({ text }) => text.trimEnd()),
  });
}

function manualLines(pages: readonly ManualPage[]): string[] {
  return tableLines(pages, [
    { title: 'page', value: ({ name }) => name },
    { title: 'subject', value: ({ title }) => title },
  ]);
}

/** A learned model in a scenario that is there, or in a new one. */
function addAddModel(scenario: Command, host: CommandHost): void {
  addCommand(scenario, host, 'scenario.addModel', {
    rules: { userFolders: ['scenarios'] },
    request: ({ request }) => {
      const { scenario: to = '' } = request;
      const isFile = /\.(ya?ml|json)$/i.test(to);
      return isFile
        ? { ...request, scenario: resolve(host.surroundings.workingFolder, to) }
        : request;
    },
    lines: ({ file }) => [file],
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

function addReference(program: Command, host: CommandHost): void {
  const check = ({ request }: { request: { kind: string } }): void => {
    documentKindOf(request.kind);
  };
  addAction(program, host, 'document.reference', { check }, async (session, given) => {
    const { out } = given.options;
    const { reply } = await session.call('document.reference', given.request);
    const markdown = referenceMarkdown(reply);
    if (out === undefined) return session.surroundings.output.stdout(markdown);
    writeWhole(out, markdown);
    session.terminal.say(out);
  });
}

/** @throws UnderstoryError 'bad-input' */
function documentKindOf(name: string): DocumentKind {
  const kind = documentKinds.find((known) => known === name);
  if (kind !== undefined) return kind;
  const known = documentKinds.join(', ');
  throw new UnderstoryError('bad-input', `expected one of ${known}, found '${name}'`);
}
