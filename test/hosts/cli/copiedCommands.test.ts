// Commands of methods: a request that is copied as a command is the request that the command sends.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import * as options from '#contract/commands/commandOptions.ts';
import type { CommandRow } from '#contract/commands/commandRow.ts';
import { commands, wordsOf, type CommandMethod } from '#contract/commands/commands.ts';
import { requests, type RequestInputOf } from '#contract/host/methods.ts';
import { declareCommand, givenOf } from '#hosts/cli/command.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { runHere } from '#test/support/commandLine.ts';

const methods = Object.keys(commands) as CommandMethod[];
const rowOf = (method: CommandMethod): CommandRow => commands[method];
const folder = temporaryFolder();
const path = (name: string): string => join(folder, name);

const texts = ["it's wet", 'a b', 'x=1', '--seed', 'ü', '$HOME', '*', 'scenario', 'unix:a.sock'];
const files = [path('a.log'), path("b's file.mcap")];
/** Values by the kind of an option. */
const samples = new Map<unknown, readonly unknown[]>(
  (
    [
      [options.text, texts],
      [options.number, [1, 2, 12, 0.25, 1e-7]],
      [options.list, [['csv', 'las'], ['pcd']]],
      [options.columns, [['x_m', 'range_m']]],
      [options.columnWords, [['default', 'x_m'], ['blensor']]],
      [
        options.pose,
        [
          { positionM: [-1, 2.5, 1e-9], yawDeg: -30, pitchDeg: 4 },
          { positionM: [0, 0, 1], yawDeg: 0 },
        ],
      ],
      [options.place, [[-1, 2]]],
      [options.position, [[-1, 2, 0.5]]],
      [options.pair, [[-95, 95]]],
      [
        options.box,
        [
          'vehicle',
          [
            [-1, -1, 0],
            [1, 1, 2],
          ],
        ],
      ],
      [
        options.size,
        [
          [640, 480],
          [1280, 720],
          [2000, 2000],
        ],
      ],
      [options.part, [{ index: 2, of: 3 }]],
      [options.date, [new Date(2026, 10, 20).getTime(), 1_795_000_000_123]],
      [options.file, files],
      [options.document, ['box', ...files]],
      [options.campaign, ['fog', ...files]],
      [options.source, ['0199', ...files]],
      [options.output, [path('new/out.csv'), path('out it.npz')]],
      [options.target, [path('target')]],
      [options.texts, [['a=b', "c='d e'"], ['x']]],
      [options.files, [files]],
      [options.single, [['0199']]],
      [options.pairs, [{ '*': 'oak', 'Picea abies': 'spruce' }]],
      [options.parameters, [{ volume: { voxelM: 0.2 }, classifier: { isLearned: false } }]],
    ] as const
  ).map(([builder, values]) => [builder('', '', '').kind, values]),
);

/** Numbers from 0 to below 1, the same in every run. */
function createDraws(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** A request that the schema takes, from the fields that the row has. */
function requestOf(method: CommandMethod, draw: () => number): RequestInputOf<CommandMethod> {
  const pick = <T>(values: readonly T[]): T | undefined =>
    values[Math.floor(draw() * values.length)];
  for (let attempt = 0; attempt < 20_000; attempt += 1) {
    const request = {};
    for (const option of rowOf(method).options) {
      const isNeeded = option.isRequired === true || option.flags.startsWith('<');
      if (option.isOwn || option.isAlias || (!isNeeded && draw() < 0.6)) continue;
      const isSwitch = !/[<[]/.test(option.flags);
      const values = isSwitch ? [option.bare] : (option.choices ?? samples.get(option.kind));
      setFields(request, option.field, pick(values ?? []));
    }
    if (requests[method].safeParse(request).success) return request;
  }
  throw new Error(`no request for ${method}`);
}

function setFields(request: Record<string, unknown>, field: string, value: unknown): void {
  const fields = field.split(' ');
  for (const [index, name] of fields.entries()) {
    const [first = '', second] = name.split('.');
    const own = fields.length > 1 ? (value as unknown[])[index] : value;
    const before = request[first] as object | undefined;
    request[first] = second === undefined ? own : { ...before, [second]: own };
  }
}

/** The own options that a command must have. */
function ownOf(method: CommandMethod): object {
  const needed = rowOf(method).options.filter(
    ({ isOwn, isRequired }) => isOwn === true && isRequired === true,
  );
  return Object.fromEntries(needed.map(({ field }) => [field, path('own.npy')]));
}

/** The words of each line, as a shell passes them. */
function shellWordsOf(lines: readonly string[]): string[][] {
  const script = `npx() { shift; printf '%s\\0' "$@"; printf '\\n\\0'; }\n${lines.join('\n')}`;
  const printed = execFileSync('bash', ['-ec', script], { encoding: 'utf8' });
  return printed
    .split('\n\0')
    .slice(0, -1)
    .map((line) => line.split('\0').slice(0, -1));
}

function parsed(method: CommandMethod, words: readonly string[]): object {
  const row = rowOf(method);
  const command = declareCommand(new Command(), method).exitOverride();
  const names = wordsOf(method).split(' ');
  expect(words.slice(0, names.length)).toEqual(names);
  command.parse(words.slice(names.length), { from: 'user' });
  const { request, args } = givenOf(method, command, {
    output: { stdout: () => undefined, stderr: () => undefined, isTerminal: false, columns: 80 },
    environment: { UNDERSTORY_DATA: path('data') },
    workingFolder: folder,
    homeFolder: folder,
    stop: new AbortController().signal,
  });
  const each = row.options.find(({ isEach }) => isEach === true);
  return each === undefined ? request : { ...request, [each.field]: args[0] };
}

describe('a copied command', () => {
  it.each(methods)('%s sends the request that was copied', (method) => {
    const draw = createDraws(7);
    const asked = Array.from({ length: 20 }, () => requestOf(method, draw));
    const words = shellWordsOf(
      asked.map((request) => commandOf(method, request as never, ownOf(method))),
    );
    for (const [index, request] of asked.entries()) {
      const again = parsed(method, words[index] ?? []);
      expect(requests[method].parse(again)).toEqual(requests[method].parse(request));
    }
  });

  it.each(methods.filter((method) => method !== 'campaign.group'))(
    '%s is a command with the help of its row',
    async (method) => {
      const { help } = rowOf(method);
      const words = wordsOf(method).split(' ');
      const { stdout } = await runHere(folder, ...words, '--help');
      expect(stdout).toContain(`Usage: understory ${words[0]}`);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(help);
    },
  );
});
