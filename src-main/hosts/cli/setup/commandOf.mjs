// Which command a command line asks for, before there is a parser: dependency-free, for setup.mjs and the process that
// scans.

/** Options that are allowed before the command and take a value (commandLine.ts declares them). */
const optionsWithValue = ['--data', '--log-level'];

/** The command and its subcommand, as far as there are such. */
export function commandOf(args) {
  const [command, subcommand] = args.filter(
    (arg, index) => !arg.startsWith('-') && !optionsWithValue.includes(args[index - 1]),
  );
  return { command, subcommand };
}
