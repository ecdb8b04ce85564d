// The recording of a run under way, read as it grows: the run never waits for its readers.
import { throwIfCancelled } from '#contract/errors.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type { RecordingReader, Recordings } from '#services/ports/recordings.ts';
import type { Timer } from '#services/ports/system.ts';
import { runOf } from './runCollection.ts';

export interface FollowPorts {
  catalogue: Catalogue;
  folders: Pick<RunFolders, 'recordingFile'>;
  recordings: Pick<Recordings, 'open'>;
  timer: Timer;
}

/** Between two looks at a recording that grows. */
const lookS = 0.01;

/**
 * Opens the recording once there is one; its passes end with the run.
 * @throws as Recordings.open: 'not-found' where the run ended before its recording began; 'cancelled'
 */
export function followRecording(
  { catalogue, folders, recordings, timer }: FollowPorts,
  runId: string,
  signal: AbortSignal,
): Promise<RecordingReader> {
  return recordings.open(folders.recordingFile(runId), {
    mayGrow: () => runOf(catalogue, runId).state === 'running',
    pause: async () => {
      await timer.pause(lookS, signal);
      throwIfCancelled(signal);
    },
  });
}
