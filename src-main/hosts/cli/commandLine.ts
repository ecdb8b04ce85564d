// The command line as a function: arguments in, exit code out. Errors are reported here, once: one sentence,
// and every problem with its path.
import { Command, CommanderError } from 'commander';
import { toWire, UnderstoryError } from '#contract/errors.ts';
import type { Problem } from '#contract/documents/problems.ts';
import { understoryVersion } from '#hosts/version.ts';
import { addBench } from './commands/bench.ts';
import { addCampaign } from './commands/campaign.ts';
import { addCheck } from './commands/check.ts';
import { addCompare } from './commands/compare.ts';
import { addDepth } from './commands/depth.ts';
import { addDocuments } from './commands/documents.ts';
import { addDrive } from './commands/drive.ts';
import { addEstimate } from './commands/estimate.ts';
import { addLearn } from './commands/learn.ts';
import { addLog } from './commands/log.ts';
import { addPoses } from './commands/poses.ts';
import { addRender } from './commands/render.ts';
import { addRuns } from './commands/runs.ts';
import { addJoin } from './commands/join.ts';
import { addScan } from './commands/scan.ts';
import { addSensor } from './commands/sensor.ts';
import { addServe } from './commands/serve.ts';
import { addUpgrade } from './commands/upgrade.ts';
import type { CommandHost } from './commands/shared.ts';
import { addValidate } from './commands/validate.ts';
import { exitCodeOf, exitCodes, exitCodesHelp } from './exitCodes.ts';
import { printable, printableProblem } from './printable.ts';
import type { Surroundings } from './session.ts';

/**
 * Carries a command out.
 * @param args without the program's name
 * @returns the exit code (exitCodes.ts); never rejects
 */
export async function runCommandLine(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { stderr } = surroundings.output;
  let exitCode: number = exitCodes.ok;
  const host: CommandHost = { surroundings, end: (code) => (exitCode = code) };
  try {
    await createProgram(host).parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      // Commander has reported it already; help and version end with code 0.
      return error.exitCode === 0 ? exitCodes.ok : exitCodeOf(refusedArguments);
    }
    stderr(`${errorText(error)}\n`);
    return exitCodeOf(error);
  }
}

/** One sentence, then the problems, each with its path. */
function errorText(error: unknown): string {
  const { code, message, details = {} } = toWire(error);
  const problems = Array.isArray(details['problems']) ? (details['problems'] as Problem[]) : [];
  if (problems.length === 0) {
    const stack = code === 'internal' && error instanceof Error ? `\n${error.stack ?? ''}` : '';
    return `understory: ${printable(message)}${stack}`;
  }
  const [only] = problems;
  if (problems.length === 1 && only?.message === message) {
    return `understory: ${printableProblem(`${only.path}: ${message}`, maxProblemLength)}`;
  }
  const [sentence = message] = message.split('\n');
  const lines = problems
    .slice(0, maxProblems)
    .map(
      ({ path, message: text }) => `  ${printableProblem(`${path}: ${text}`, maxProblemLength)}`,
    );
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`  and ${more} more`);
  return [`understory: ${printable(sentence).replace(/:$/, '')}:`, ...lines].join('\n');
}

/** A file with thousands of faults, or a key of 100 kB, is reported by its beginning. */
const maxProblems = 100;
const maxProblemLength = 400;

const refusedArguments = new UnderstoryError('bad-input', 'the command line was refused');

function createProgram(host: CommandHost): Command {
  const { stdout, stderr, columns } = host.surroundings.output;
  const program = new Command('understory')
    .description('simulates LIDAR in dense vegetation')
    .version(understoryVersion)
    .option('--data <dir>', 'data folder; default: UNDERSTORY_DATA, or the XDG rules')
    .option('--log-level <level>', 'debug, info, warn or error; default: UNDERSTORY_LOG, or info')
    .option('--quiet', 'no progress and no messages, only data and errors')
    .exitOverride()
    .showHelpAfterError('(--help lists commands and options)')
    .configureOutput({
      writeOut: stdout,
      writeErr: stderr,
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
    });
  // Why first: what a newcomer needs is at the top of the help.
  addDrive(program, host);
  addScan(program, host);
  addJoin(program, host);
  addRender(program, host);
  addDepth(program, host);
  addPoses(program, host);
  addLearn(program, host);
  addRuns(program, host);
  addCheck(program, host);
  addCampaign(program, host);
  addLog(program, host);
  addCompare(program, host);
  addEstimate(program, host);
  addDocuments(program, host);
  addSensor(program, host);
  addUpgrade(program, host);
  addBench(program, host);
  addValidate(program, host);
  addServe(program, host);
  program.addHelpText(
    'after',
    `\nunderstory doctor says what is present, missing or too old, and how to fix it.\n\n${exitCodesHelp}`,
  );
  return program;
}
