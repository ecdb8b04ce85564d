// Commands of methods, a row each. The command line with its help and the lines that the page copies are made from them.
import type { CommandOption } from './commandOptions.ts';
import { campaignCommands } from './campaignCommands.ts';
import { documentCommands } from './documentCommands.ts';
import { learnCommands } from './learnCommands.ts';
import { logCommands } from './logCommands.ts';
import { runCommands } from './runCommands.ts';
import { scanCommands } from './scanCommands.ts';
import type { CommandRow, CommandRows } from './commandRow.ts';
import type { Method } from '../host/methods.ts';

export const commands = {
  ...scanCommands,
  ...learnCommands,
  ...runCommands,
  ...campaignCommands,
  ...logCommands,
  ...documentCommands,
} as const satisfies CommandRows<Method>;

/** As in 'runs show'. */
export function wordsOf(method: CommandMethod): string {
  const row: CommandRow = commands[method];
  return row.words ?? method.replace('.', ' ');
}

/** A method that has a command. */
export type CommandMethod = keyof typeof commands;

type OptionOf<M extends CommandMethod> = (typeof commands)[M]['options'][number];
type OwnOf<M extends CommandMethod> = Extract<OptionOf<M>, { isOwn: true }>;
type ValueOf<O> = O extends CommandOption<string, infer V> ? V : never;
type GivenOf<M extends CommandMethod> = Extract<
  OwnOf<M>,
  { isRequired: true } | { default: unknown }
>;

/** Options of a command that are no fields of its request. */
export type OwnOptions<M extends CommandMethod> = {
  [O in GivenOf<M> as O['field']]: ValueOf<O>;
} & { [O in Exclude<OwnOf<M>, GivenOf<M>> as O['field']]?: ValueOf<O> };
