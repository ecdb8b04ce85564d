// Shared parts of the commands: how they are added to the program, and options that several have.
import { Option, type Command } from 'commander';
import { isas } from '#contract/worker/worker.ts';
import { parseNumber } from '../arguments.ts';
import type { SharedOptions, Surroundings } from '../session.ts';

/** Surroundings of a command that is added; `end` receives the exit code of a command that was carried out. */
export interface CommandHost {
  surroundings: Surroundings;
  end: (exitCode: number) => void;
}

/** The argument of commands about one run. */
export const runArgument = ['<run>', 'id of a run, or the beginning of one'] as const;

/** Adds --threads and --isa. */
export function withComputeOptions(command: Command): Command {
  return command
    .option('--threads <n>', 'threads of the worker; never changes a byte', parseNumber)
    .addOption(new Option('--isa <set>', 'instruction set of the ray kernels').choices([...isas]));
}

/** Adds --set, as often as wanted. */
export function withSettings(command: Command): Command {
  return command.option(
    '--set <path=value>',
    'a field of the scenario (scene.atmosphere.visibilityKm=0.5) or of the sensor (sensor.noise.rangeSigmaM=0) in place of its file; repeatable',
    (text: string, before: string[] | undefined) => [...(before ?? []), text],
  );
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
