// `understory runs verify`: a run is simulated again and compared.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Replies } from '#contract/host/methods.ts';
import { countText } from '#domain/shared/formats.ts';
import { addCommand } from '../command.ts';
import { exitCodes } from '../exitCodes.ts';
import type { CommandHost } from './shared.ts';

/** Adds the command. */
export function addVerify(runs: Command, host: CommandHost): void {
  addCommand(runs, host, 'runs.verify', {
    request: ({ request: { runId = '', ...request } }) =>
      // Why: no id of a run has a dot or a folder.
      /[./\\]/.test(runId)
        ? { ...request, file: resolve(host.surroundings.workingFolder, runId) }
        : { ...request, runId },
    says: sentencesOf,
    exitCode: ({ compared, differs }) =>
      compared > 0 && differs === null ? exitCodes.ok : exitCodes.negative,
  });
}

function sentencesOf(reply: Replies['runs.verify']): string[] {
  const { differs, compared, there } = reply;
  const recorded = `recorded by version ${there.version} with ${there.isa ?? 'an unknown instruction set'}`;
  if (compared === 0 && differs === null) {
    return [recorded, 'the recording holds no scan: there is nothing to compare'];
  }
  const others = otherEngineSentences(reply);
  if (differs !== null) return [recorded, ...others, ...differenceSentences(reply, differs)];
  if (others.length > 0) return [recorded, ...others];
  const all = `${countText(compared)} scans simulated again: all hashes and all recorded points agree`;
  return [recorded, all];
}

function otherEngineSentences(reply: Replies['runs.verify']): string[] {
  const { compared, here, there, otherEngine } = reply;
  if (otherEngine === null) return [];
  const { agreeing, returnsRecorded, returnsSimulated } = otherEngine;
  return [
    `the run was recorded by another engine or maker of processor (version ${there.version}, ` +
      `${there.engine?.slice(0, 12) ?? 'without a hash'}; here ${here.engine?.slice(0, 12) ?? 'unknown'})`,
    `${countText(agreeing)} of ${countText(compared)} scans have equal hashes; returns: ` +
      `recorded ${countText(returnsRecorded)}, simulated ${countText(returnsSimulated)}`,
  ];
}

function differenceSentences(
  { here, there, notices }: Replies['runs.verify'],
  differs: NonNullable<Replies['runs.verify']['differs']>,
): string[] {
  const { tick, sensor, of, recorded, simulated } = differs;
  const what = of === 'hash' ? 'differs first' : 'has other points';
  const keys = (['version', 'isa', 'sceneHash'] as const).filter(
    (key) => here[key] !== there[key] && here[key] !== null,
  );
  return [
    `tick ${tick}, sensor ${sensor} ${what}: recorded ${recorded}, simulated ${simulated}`,
    ...keys.map((key) => `${key} differs: recorded ${there[key] ?? 'unknown'}, here ${here[key]}`),
    ...notices.map(({ path, message }) => `${path}: ${message}`),
  ];
}
