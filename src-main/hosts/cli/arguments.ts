// Options of rows and values of their kinds, for commander.
import { InvalidArgumentError, Option } from 'commander';
import {
  ArgumentError,
  numberKind,
  portKind,
  poseKind,
  type ArgumentKind,
  type CommandOption,
} from '#contract/commands/commandOptions.ts';

/** The option of a row for commander. `hasSubcommands`: of its command. */
export function declaredOption(given: CommandOption, hasSubcommands = false): Option {
  const { flags, help, kind, choices, isRequired } = given;
  const option = new Option(flags, help);
  if (choices !== undefined) option.choices(choices.map(String));
  else if (!option.isBoolean()) option.argParser(parserOf(kind));
  if (given.default !== undefined) option.default(given.default, given.defaultText);
  // Why not: options that a command must have would be those of its subcommands, too.
  if (isRequired === true && !hasSubcommands) option.makeOptionMandatory();
  return option;
}

/** Reads values of a kind for commander. */
export function parserOf<V>(kind: ArgumentKind<V>): (text: string, before?: V) => V {
  return (text, before) => {
    try {
      return kind.read(text, before);
    } catch (error) {
      if (error instanceof ArgumentError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}

export const parseNumber = parserOf(numberKind);
export const parsePort = parserOf(portKind);
export const parsePose = parserOf(poseKind);

/** '1,2': numbers. */
export function parseNumbers(text: string): number[] {
  return text.split(',').map((part) => {
    try {
      return numberKind.read(part);
    } catch {
      throw new InvalidArgumentError(`expected numbers like 1,2, found "${text}"`);
    }
  });
}
