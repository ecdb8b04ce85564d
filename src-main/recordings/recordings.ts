// The adapter for the port `Recordings`: run files on disk (MCAP, ROS 2 profile).
import type { Recordings } from '#services/ports/recordings.ts';
import { checkRecording } from './checkRecording.ts';
import { readHeadText, type ReadHeadText } from './head.ts';
import { openMcapFile } from './mcap/readRecords.ts';
import { createPackings, createRecording } from './recordingWriter.ts';
import { openMetadata } from './recordingMetadata.ts';
import { openSnapshots } from './recordingSnapshots.ts';
import { openRecording } from './recordingReader.ts';
import { recoverRecording } from './recover.ts';

/**
 * Recordings as MCAP files; RECORDING.md says what is in them.
 * @param readHead for the scenario in their head, which is long where many objects are placed; left out: at once
 */
export function createRecordings({ readHead }: { readHead?: ReadHeadText } = {}): Recordings {
  return {
    create: (file, header, clouds) => createRecording(file, header, clouds),
    packings: createPackings,
    open: (file, growth) => openRecording(file, readHead, growth),
    openSnapshots: (file) => openSnapshots(file, readHead),
    recover: recoverRecording,
    async headText(file) {
      const mcap = await openMcapFile(file);
      try {
        return await readHeadText(mcap, file);
      } finally {
        await mcap.close();
      }
    },
    openMetadata: (file) => openMetadata(file, readHead),
    check: (file, options) => checkRecording(file, options, readHead),
  };
}
