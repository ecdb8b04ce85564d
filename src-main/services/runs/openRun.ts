// Opening what a run recorded. Guarantees: of a run that has ended the recording is whole, or it is refused with
// what can be done about it; a part of it is never returned as the whole.
import { UnderstoryError } from '#contract/errors.ts';
import type { RunRow } from '#services/ports/catalogue.ts';
import type { RunFolders } from '#services/ports/files.ts';
import type {
  RecordingSnapshots,
  RecordingReader,
  Recordings,
} from '#services/ports/recordings.ts';

export interface RunRecordingPorts {
  folders: Pick<RunFolders, 'recordingFile'>;
  recordings: Pick<Recordings, 'open' | 'openSnapshots'>;
}

/** The recording, to be read in passes. @throws as Recordings.open, and 'corrupt' where its end is missing */
export async function openRunRecording(
  { folders, recordings }: RunRecordingPorts,
  run: RunRow,
): Promise<RecordingReader> {
  return expectEnd(run, await recordings.open(folders.recordingFile(run.id)));
}

/** The recording, to be looked at here and there. @throws as openRunRecording */
export async function openRunSnapshots(
  { folders, recordings }: RunRecordingPorts,
  run: RunRow,
): Promise<RecordingSnapshots> {
  return expectEnd(run, await recordings.openSnapshots(folders.recordingFile(run.id)));
}

/** A recording that does not hold what the catalogue says. */
export function lacking(run: RunRow, found: string): UnderstoryError {
  const advice = `'understory runs adopt ${run.id}' keeps what is whole`;
  return new UnderstoryError('corrupt', `the recording of run ${run.id} ${found}: ${advice}`, {
    runId: run.id,
  });
}

async function expectEnd<T extends { isComplete: boolean; close(): Promise<void> }>(
  run: RunRow,
  opened: T,
): Promise<T> {
  if (opened.isComplete || run.state === 'running') return opened;
  await opened.close();
  throw lacking(run, 'is cut off');
}
