// The commands that a run recorded: what it takes to drive it again.
import { UnderstoryError } from '#contract/errors.ts';
import type { DriveCommand } from '#contract/host/run.ts';
import type { RecordingReader } from '#services/ports/recordings.ts';

/** One a tick. @throws UnderstoryError 'unsupported' where the recording is from before they were recorded */
export async function commandsOf(
  reader: Pick<RecordingReader, 'commands'>,
): Promise<DriveCommand[]> {
  const commands: DriveCommand[] = [];
  for await (const { speedMPerS, yawRateRadPerS } of reader.commands()) {
    commands.push({ speedMPerS, yawRateRadPerS });
  }
  if (commands.length > 0) return commands;
  throw new UnderstoryError('unsupported', 'the recording holds no commands (/cmd_vel)');
}
