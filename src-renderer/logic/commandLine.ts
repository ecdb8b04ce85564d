// The command line that does the same as the page.
import type { CommandRow } from '#contract/commands/commandRow.ts';
import type { CommandOption } from '#contract/commands/commandOptions.ts';
import {
  commands,
  wordsOf,
  type CommandMethod,
  type OwnOptions,
} from '#contract/commands/commands.ts';
import type { RequestInputOf } from '#contract/host/methods.ts';

/** Fields without a value are left out. */
type Stated<T> = { readonly [K in keyof T]: T[K] | null | undefined };

/**
 * `npx understory WORDS … --option value …`: the command whose request this is, as far as it has options; `own`: options
 * that are no fields of the request. Words are quoted for a POSIX shell where they need it.
 */
export function commandOf<M extends CommandMethod>(
  method: M,
  request: Stated<RequestInputOf<M>>,
  own: Partial<OwnOptions<M>> = {},
): string {
  const { options }: CommandRow = commands[method];
  const textsOf = (isArgument: boolean): string[] =>
    options
      .filter(({ flags }) => !flags.startsWith('-') === isArgument)
      .flatMap((option) => {
        const value = valueOf(option.isOwn === true ? own : request, option.field);
        return value === undefined ? [] : textsOfValue(option, value);
      });
  const [args, stated] = [textsOf(true), textsOf(false)];
  const isLikeOption = args.some((text) => text.startsWith('-'));
  const inOrder = isLikeOption ? [...stated, '--', ...args] : [...args, ...stated];
  return ['npx understory', wordsOf(method), ...inOrder].join(' ');
}

/** Undefined where the field is left out. */
function valueOf(values: object, field: string): unknown {
  const fields = field.split(' ').map((path) => path.split('.').reduce(fieldOf, values as unknown));
  const isWhole = fields.every((value) => value !== undefined && value !== null);
  return isWhole ? (fields.length === 1 ? fields[0] : fields) : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | undefined)?.[name];
}

function textsOfValue(option: CommandOption, value: unknown): string[] {
  const { flags, kind, bare, isAlias } = option;
  if (!flags.startsWith('-')) return kind.write(value).map(quote);
  const [name = '', argument] = flags.split(' ');
  if (isAlias === true || String(value) === String(option.default)) return [];
  if (value === bare) return [name];
  if (argument === undefined) return [];
  // Why: what follows an option whose text may be left out is no text of it where it begins with a minus.
  const between = argument.startsWith('[') ? '=' : ' ';
  const texts = kind.write(value).filter((text) => text !== '');
  return texts.map((text) => `${name}${between}${quote(text)}`);
}

function quote(text: string): string {
  return /^[\w./:@,+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
