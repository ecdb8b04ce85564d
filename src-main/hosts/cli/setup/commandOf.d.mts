export function commandOf(args: readonly string[]): {
  command: string | undefined;
  subcommand: string | undefined;
};
