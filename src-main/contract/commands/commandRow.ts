// A row of the table of commands.
import type { CommandOption } from './commandOptions.ts';
import type { Method, RequestInputOf } from '../host/methods.ts';

/** The command of a method; the order of the options is that of the help. */
export interface CommandRow<F extends string = string> {
  /** Left out: those of the method's name. */
  words?: string;
  alias?: string;
  help: string;
  /** Required options are then checked when the command itself is carried out. */
  hasSubcommands?: true;
  options: readonly (CommandOption<F> | (CommandOption & { isOwn: true }))[];
}

type Key<M extends Method> = keyof RequestInputOf<M> & string;
type FieldOf<M extends Method> = Key<M> | `${Key<M>}.${string}` | `${Key<M>} ${string}`;

export type CommandRows<M extends Method> = { readonly [K in M]?: CommandRow<FieldOf<K>> };
