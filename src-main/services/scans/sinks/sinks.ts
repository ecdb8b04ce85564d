// Everything that a scan can be written to: the list of files beside the returns, and the choice of their destination.
import { UnderstoryError } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import {
  endingsText,
  formatOfName,
  scanFileFormats,
  type ScanFileFormat,
} from '#contract/host/exportFormats.ts';
import { cloudFile } from './cloudFile.ts';
import { framesFolder } from './framesFolder.ts';
import { logFile } from './logFile.ts';
import { packetFile } from './packetFile.ts';
import { posesFile } from './posesFile.ts';
import { raysFile } from './raysFile.ts';
import { recordingFile } from './recordingFile.ts';
import type { ReturnsKind, SideFile } from './scanSink.ts';
import { waveformsFile } from './waveformsFile.ts';

/** In the order in which they are written. */
export const sideFiles: readonly SideFile[] = [posesFile, raysFile, waveformsFile];

/** Chunks of the reply. */
const chunks: ReturnsKind = {
  open: ({ plan: { path, columns }, context }) => {
    return Promise.resolve({
      columns,
      rows: (table, rows, { number }) =>
        context.chunk(path.isSurvey ? { rows, leg: number + 1 } : { rows }, table),
      close: () => Promise.resolve({ files: [], leftOut: [] }),
      abort: () => Promise.resolve(),
    });
  },
};

/** The destination that a request asks for. @throws 'bad-input' for a name that no format has */
export function returnsKindOf({
  out,
  format: layout,
}: Pick<RequestOf<'scan.start'>, 'out' | 'format'>): ReturnsKind {
  if (out === undefined) return chunks;
  if (layout === 'semantickitti') return framesFolder;
  const format = scanFileFormatOf(out);
  if (format === 'mcap') return recordingFile;
  if (format === 'pcap') return packetFile;
  return format === 'log' ? logFile : cloudFile(format);
}

/** The format that the name of a file asks for. @throws 'bad-input' */
export function scanFileFormatOf(file: string): ScanFileFormat {
  const format = formatOfName(file, scanFileFormats);
  if (format !== null) return format;
  const message = `expected a file that ends in one of ${endingsText(scanFileFormats)}, found '${file}'`;
  throw new UnderstoryError('bad-input', `no scan can be written to '${file}'`, {
    problems: [{ path: 'out', code: 'format', message }],
  });
}
