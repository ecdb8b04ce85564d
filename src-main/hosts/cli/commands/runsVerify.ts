// `understory runs verify`: a run is simulated again and compared.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { countText } from '#domain/shared/formats.ts';
import { parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { withSession, type Session } from '../session.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

/** Adds the command. */
export function addVerify(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('verify')
    .description(
      'check the recording, simulate the run again and compare every scan: hash and points',
    )
    .argument('<run>', 'id of a run, or the beginning of one; or a file: a bundle, a recording')
    .option('--threads <n>', 'threads of the worker; never changes a byte', parseNumber)
    .option('--json', 'print the result as JSON')
    .action(async (runId: string) => {
      const options = optionsOf<{ json?: boolean; threads?: number }>(command);
      const isSame = await withSession(surroundings, options, (session) =>
        verify(session, runId, options),
      );
      end(isSame ? exitCodes.ok : exitCodes.negative);
    });
}

async function verify(
  { call, terminal, surroundings }: Session,
  runOrFile: string,
  options: { json?: boolean; threads?: number },
): Promise<boolean> {
  const file = resolve(surroundings.workingFolder, runOrFile);
  const { threads } = options;
  // Why: no id of a run has a dot or a folder.
  const named = /[./\\]/.test(runOrFile) ? { file } : { runId: runOrFile };
  const { reply } = await call('runs.verify', { ...named, ...defined({ threads }) });
  terminal.endProgress();
  if (options.json === true) terminal.print(JSON.stringify(reply, null, 2));
  const { differs, compared, here, there, otherEngine } = reply;
  terminal.say(
    `recorded by version ${there.version} with ${there.isa ?? 'an unknown instruction set'}`,
  );
  if (compared === 0 && differs === null) {
    terminal.say('the recording holds no scan: there is nothing to compare');
    return false;
  }
  if (otherEngine !== null) {
    const { agreeing, returnsRecorded, returnsSimulated } = otherEngine;
    terminal.say(
      `the run was recorded by another engine or maker of processor (version ${there.version}, ` +
        `${there.engine?.slice(0, 12) ?? 'without a hash'}; here ${here.engine?.slice(0, 12) ?? 'unknown'})`,
    );
    terminal.say(
      `${countText(agreeing)} of ${countText(compared)} scans have equal hashes; returns: ` +
        `recorded ${countText(returnsRecorded)}, simulated ${countText(returnsSimulated)}`,
    );
    if (differs === null) return true;
  }
  if (differs === null) {
    terminal.say(
      `${countText(compared)} scans simulated again: all hashes and all recorded points agree`,
    );
    return true;
  }
  const { tick, sensor, of, recorded, simulated } = differs;
  const what = of === 'hash' ? 'differs first' : 'has other points';
  terminal.say(
    `tick ${tick}, sensor ${sensor} ${what}: recorded ${recorded}, simulated ${simulated}`,
  );
  for (const key of ['version', 'isa', 'sceneHash'] as const) {
    if (here[key] === there[key] || here[key] === null) continue;
    terminal.say(`${key} differs: recorded ${there[key] ?? 'unknown'}, here ${here[key]}`);
  }
  return false;
}
