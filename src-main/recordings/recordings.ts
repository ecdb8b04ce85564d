// The adapter for the port `Recordings`: run files on disk (MCAP, ROS 2 profile).
import type { Recordings } from '#services/ports/recordings.ts';
import type { ParseJson } from './head.ts';
import { checkRecording } from './checkRecording.ts';
import { createPackings, createRecording } from './recordingWriter.ts';
import { openMetadata } from './recordingMetadata.ts';
import { openSnapshots } from './recordingSnapshots.ts';
import { openRecording } from './recordingReader.ts';
import { recoverRecording } from './recover.ts';

/**
 * Recordings as MCAP files; RECORDING.md says what is in them.
 * @param parseJson for the scenario in their head, which is long where many objects are placed; left out: at once
 */
export function createRecordings({ parseJson }: { parseJson?: ParseJson } = {}): Recordings {
  return {
    create: (file, header, clouds) => createRecording(file, header, clouds),
    packings: createPackings,
    open: (file, growth) => openRecording(file, parseJson, growth),
    openSnapshots: (file) => openSnapshots(file, parseJson),
    recover: recoverRecording,
    openMetadata: (file) => openMetadata(file, parseJson),
    check: (file, options) => checkRecording(file, options, parseJson),
  };
}
