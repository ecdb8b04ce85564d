// The adapter for the port `Recordings`: run files on disk (MCAP, ROS 2 profile).
import type { Recordings } from '#services/ports/recordings.ts';
import { createPacking, createRecording } from './recordingWriter.ts';
import { openMetadata } from './recordingMetadata.ts';
import { openSnapshots } from './recordingSnapshots.ts';
import { openRecording } from './recordingReader.ts';
import { recoverRecording } from './recover.ts';

/** Recordings as MCAP files; RECORDING.md says what is in them. */
export function createRecordings(): Recordings {
  return {
    create: (file, header) => createRecording(file, header),
    packing: createPacking,
    open: openRecording,
    openSnapshots,
    recover: recoverRecording,
    openMetadata,
  };
}
