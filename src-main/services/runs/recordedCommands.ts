// The commands that a run recorded: what it takes to drive it again.
import { UnderstoryError } from '#contract/errors.ts';
import type { DriveCommand, DriveControl } from '#contract/host/run.ts';
import { lateCommandTopic, type RecordingReader } from '#services/ports/recordings.ts';

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

/** The driver, as far as a recording states it: drives by hand count as autonomy's. */
export function controlOf({ channels }: Pick<RecordingReader, 'channels'>): DriveControl {
  return channels.some(({ topic }) => topic === lateCommandTopic) ? 'external' : 'autonomy';
}
