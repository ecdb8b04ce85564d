// Commands of methods: declared and read by their rows (contract/commands/commands.ts), called, and printed. A command's
// own file has its printer, and what it does besides.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Argument, Option, type Command } from 'commander';
import { z } from 'zod';
import type { CommandRow } from '#contract/commands/commandRow.ts';
import type { CommandOption, PathKind } from '#contract/commands/commandOptions.ts';
import {
  commands,
  wordsOf,
  type CommandMethod,
  type OwnOptions,
} from '#contract/commands/commands.ts';
import { requests, type Replies, type RequestInputOf } from '#contract/host/methods.ts';
import { datasetFormats } from '#contract/host/exportFormats.ts';
import type { UnderstoryConfig } from '#hosts/compose.ts';
import { declaredOption, parserOf } from './arguments.ts';
import { campaignFile } from './commands/campaignFile.ts';
import { defined, type CommandHost } from './commands/shared.ts';
import { exitCodes } from './exitCodes.ts';
import { prepareFile, type FileRules } from './files.ts';
import { withSession, type Session, type SharedOptions, type Surroundings } from './session.ts';

/** The values of a command line. */
export interface Given<M extends CommandMethod> {
  /** As far as arguments and options state it: the schema of the method checks it. */
  request: RequestInputOf<M>;
  options: OwnOptions<M> & SharedOptions;
  isJson: boolean;
  /** The request before names of files became absolute. */
  written: RequestInputOf<M>;
  /** Arguments as they were written. */
  args: readonly string[];
}

/** The own part of a command, around the call of its method. */
export interface CommandParts<M extends CommandMethod> {
  /** Text below the options. */
  help?: string;
  /** Before files are prepared; paths are as they were written. @throws UnderstoryError */
  check?: (given: Given<M>) => void;
  /** Rules for the files that the command writes. */
  rules?: Pick<FileRules, 'force' | 'userFolders'>;
  /** Other files that it writes. */
  besides?: (given: Given<M>) => string[];
  /** The request that is sent; left out: as it is given. */
  request?: (given: Given<M>) => RequestInputOf<M>;
  /** Sentences for refusals. */
  refusal?: (error: unknown) => unknown;
  /** The value that --json prints; left out: the reply. */
  json?: (reply: Replies[M]) => unknown;
  /** Lines that are printed without --json. */
  lines?: (reply: Replies[M], given: Given<M>) => string[];
  /** Messages after that. */
  says?: (reply: Replies[M], given: Given<M>) => string[];
  exitCode?: (reply: Replies[M]) => number;
  config?: Pick<UnderstoryConfig, 'isCatalogueNeeded'>;
}

/** Carries a command out in place of one call and its print. @returns the exit code; nothing: all is well */
type Act<M extends CommandMethod> = (session: Session, given: Given<M>) => Promise<number | void>;

/** Adds the command of a method that is called once. */
export function addCommand<M extends CommandMethod>(
  parent: Command,
  host: CommandHost,
  method: M,
  parts: CommandParts<M> = {},
): Command {
  const { request = ({ request: asGiven }) => asGiven, refusal = (error) => error } = parts;
  return addAction(parent, host, method, parts, async ({ call, terminal }, given) => {
    const { reply } = await call(method, request(given)).catch((error: unknown) => {
      throw refusal(error);
    });
    terminal.endProgress();
    if (given.isJson) terminal.print(jsonText(parts.json?.(reply) ?? reply));
    else for (const line of parts.lines?.(reply, given) ?? []) terminal.print(line);
    for (const message of parts.says?.(reply, given) ?? []) terminal.say(message);
    return parts.exitCode?.(reply);
  });
}

/** Adds the command of a method that does more than call it. */
export function addAction<M extends CommandMethod>(
  parent: Command,
  { surroundings, end }: CommandHost,
  method: M,
  parts: Pick<CommandParts<M>, 'help' | 'check' | 'rules' | 'besides' | 'config'>,
  act: Act<M>,
): Command {
  const command = declareCommand(parent, method);
  if (parts.help !== undefined) command.addHelpText('after', parts.help);
  return command.action(async () => {
    const given = givenOf(method, command, surroundings, parts);
    const code = await withSession(
      surroundings,
      given.options,
      (session) => act(session, given),
      parts.config,
    );
    end(code ?? exitCodes.ok);
  });
}

export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Adds the command of a row, without an action. */
export function declareCommand(parent: Command, method: CommandMethod): Command {
  const row: CommandRow = commands[method];
  const command = parent.command(wordsOf(method).split(' ').at(-1) ?? '').description(row.help);
  if (row.alias !== undefined) command.alias(row.alias);
  for (const option of row.options) {
    if (option.flags.startsWith('-')) {
      const help = withDefaultOf(method, option);
      command.addOption(declaredOption({ ...option, help }, row.hasSubcommands));
    } else command.addArgument(declaredArgument(option));
  }
  return command;
}

/** The help of an option with the default that the request has, a number or a word. */
function withDefaultOf(method: CommandMethod, option: CommandOption): string | undefined {
  const { help, field, isOwn, bare } = option;
  if (isOwn === true || bare !== undefined || option.default !== undefined) return help;
  let schema: unknown = requests[method];
  let value: unknown;
  for (const name of field.split('.')) {
    schema = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
    while (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) {
      if (schema instanceof z.ZodDefault) value = schema.def.defaultValue;
      schema = schema.unwrap();
    }
  }
  if (typeof value !== 'number' && typeof value !== 'string') return help;
  return `${help === undefined ? '' : `${help}; `}default: ${value}`;
}

function declaredArgument({ flags, help, default: value }: CommandOption): Argument {
  return new Argument(flags, help).default(value);
}

interface Stated {
  option: CommandOption;
  value: unknown;
}

/**
 * The values of a command that was parsed. Its files are prepared: inputs and outputs are absolute.
 * @throws UnderstoryError of prepareFile
 */
export function givenOf<M extends CommandMethod>(
  method: M,
  command: Command,
  surroundings: Surroundings,
  { check, rules = {}, besides }: Pick<CommandParts<M>, 'check' | 'rules' | 'besides'> = {},
): Given<M> {
  const stated = statedIn(command, commands[method]);
  const raw = assembled<M>(stated, command);
  check?.(raw);
  const inputs = stated.flatMap(({ option, value }) =>
    inputKinds.includes(option.kind.path) ? [value as string | string[]].flat() : [],
  );
  const isReplacing = stated.some(({ option }) => option.field === 'isReplacing');
  const fileRules = { ...raw.options, force: isReplacing, ...rules, inputs };
  // Why: the host checks the folder of a layout.
  const { format } = raw.request as { format?: unknown };
  const isLayout = datasetFormats.some((name) => name === format);
  const pathOf = ({ kind: { path }, field }: CommandOption, text: string): string => {
    if (path === 'document') return text;
    if (path === 'campaign') return campaignFile(surroundings, text);
    if (path === 'output' && !(isLayout && field === 'out')) {
      return prepareFile(surroundings, text, fileRules);
    }
    const file = resolve(surroundings.workingFolder, text);
    return path === 'source' && !existsSync(file) && !/[/.]/.test(text) ? text : file;
  };
  const resolved = stated.map(({ option, value }) => {
    if (option.kind.path === undefined) return { option, value };
    const texts = [value as string | string[]].flat().map((text) => pathOf(option, text));
    return { option, value: Array.isArray(value) ? texts : texts[0] };
  });
  const given = { ...assembled<M>(resolved, command), written: raw.request };
  for (const file of besides?.(given) ?? []) prepareFile(surroundings, file, fileRules);
  return given;
}

const inputKinds: readonly (PathKind | undefined)[] = ['file', 'document', 'source'];

/** The options of a row that were stated, in its order, and those with a default. */
function statedIn(command: Command, { options, hasSubcommands }: CommandRow): Stated[] {
  const given = command.optsWithGlobals<Record<string, unknown>>();
  const args = command.processedArgs as unknown[];
  let position = 0;
  return options.flatMap((option) => {
    if (!option.flags.startsWith('-')) {
      const value = argumentValue(option, args[position++]);
      return value === undefined ? [] : [{ option, value }];
    }
    const declared = new Option(option.flags);
    const value = given[declared.attributeName()];
    if (value === undefined && option.isRequired === true && hasSubcommands === true) {
      command.error(`error: required option '${option.flags}' not specified`);
    }
    if (value === undefined || (declared.negate && value === true)) return [];
    return [{ option, value: typeof value === 'boolean' ? option.bare : value }];
  });
}

/** Commander reads arguments as texts. */
function argumentValue({ kind, isEach }: CommandOption, text: unknown): unknown {
  if (text === undefined || Array.isArray(text)) {
    const values = (text ?? []) as string[];
    return isEach === true || values.length === 0 ? undefined : values;
  }
  return parserOf(kind)(text as string);
}

function assembled<M extends CommandMethod>(stated: readonly Stated[], command: Command): Given<M> {
  const request = {};
  const own: Record<string, unknown> = {};
  for (const { option, value } of stated) {
    if (option.isOwn === true) own[option.field] = value;
    else setField(request, option.field, value);
  }
  const shared = command.optsWithGlobals<SharedOptions>();
  const { data, quiet, logLevel } = shared;
  const options = { ...defined({ data, quiet, logLevel }), ...own };
  // Why the cast: the schema of the method checks the request; own options have the values of their kinds.
  return {
    request,
    written: request,
    options,
    isJson: own['json'] === true,
    args: command.args,
  } as unknown as Given<M>;
}

/** Sets 'a.b', or 'a b' to the two values of a tuple. What is there is completed: objects by their fields. */
function setField(target: Record<string, unknown>, field: string, value: unknown): void {
  const fields = field.split(' ');
  if (fields.length > 1) {
    for (const [at, name] of fields.entries()) target[name] = (value as unknown[])[at];
    return;
  }
  const [first = '', ...rest] = field.split('.');
  if (rest.length > 0) {
    const inner = { ...(target[first] as Record<string, unknown> | undefined) };
    setField(inner, rest.join('.'), value);
    target[first] = inner;
  } else target[first] = completed(target[first], value);
}

function completed(before: unknown, value: unknown): unknown {
  if (!isObject(before) || !isObject(value)) return value;
  const both = { ...before };
  for (const [name, inner] of Object.entries(value)) both[name] = completed(both[name], inner);
  return both;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
