// Shared parts of commands that have no row.
import type { Command } from 'commander';
import { settings } from '#contract/commands/commandOptions.ts';
import { compute } from '#contract/commands/sharedOptions.ts';
import { declaredOption } from '../arguments.ts';
import type { SharedOptions, Surroundings } from '../session.ts';

/** Surroundings of a command that is added; `end` receives the exit code of a command that was carried out. */
export interface CommandHost {
  surroundings: Surroundings;
  end: (exitCode: number) => void;
}

/** Adds --threads and --isa. */
export function withComputeOptions(command: Command): Command {
  for (const option of compute) command.addOption(declaredOption(option));
  return command;
}

/** Adds --set, as often as wanted. */
export function withSettings(command: Command): Command {
  return command.addOption(declaredOption(settings));
}

/** The options of a command, those of the program included. */
export function optionsOf<T>(command: Command): T & SharedOptions {
  return command.optsWithGlobals<T & SharedOptions>();
}

/** The given fields without those that are undefined, as the contract's optional fields want them. */
export function defined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
