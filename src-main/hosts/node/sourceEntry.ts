// Entry of the thread that reads one source of logs (sourceThread.ts). Its host ends it: nothing here is cancelled.
import { bagMessages } from '#catalogue/bagMessages.ts';
import { createLogSources } from '#recordings/foreign/logSources.ts';
import type {
  BeamSource,
  LogSourceReader,
  OpenOptions,
  PacketOptions,
  PacketSource,
} from '#services/ports/logSources.ts';
import { reportProgress, serveJobs } from './jobEntry.ts';

const { signal } = new AbortController();
const iterators = new Map<number, AsyncGenerator<unknown>>();
let reader: LogSourceReader | null = null;
let beams: BeamSource | null = null;
let packets: PacketSource | null = null;

const jobs = {
  async open(
    path: string,
    options: Pick<OpenOptions, 'trajectory' | 'times'>,
    scratchFolder: string,
  ) {
    const sources = createLogSources(bagMessages, scratchFolder);
    reader = await sources.open(path, { ...options, signal, progress: reportProgress });
    return withoutFunctions(reader);
  },
  async openBeams(path: string, scratchFolder: string) {
    beams = await createLogSources(bagMessages, scratchFolder).openBeams(path);
    return beams === null ? null : withoutFunctions(beams);
  },
  async openPackets(path: string, options: Pick<PacketOptions, 'sensor' | 'stream'>) {
    const sources = createLogSources(bagMessages, '');
    packets = await sources.openPackets(path, { ...options, signal, progress: reportProgress });
    return packets === null ? null : withoutFunctions(packets);
  },
  clouds(id: number, stream: string) {
    if (reader !== null) iterators.set(id, reader.clouds(stream, reportProgress));
  },
  tables(id: number) {
    const tables = (beams ?? packets)?.tables(signal);
    if (tables !== undefined) iterators.set(id, tables);
  },
  next: async (id: number) => iterators.get(id)?.next() ?? { done: true, value: undefined },
  async end(id: number) {
    await iterators.get(id)?.return(undefined);
    iterators.delete(id);
  },
};
export type SourceJobs = typeof jobs;

function withoutFunctions<T extends object>(opened: T): Omit<T, 'clouds' | 'tables' | 'close'> {
  const fields = Object.entries(opened).filter(([, value]) => typeof value !== 'function');
  return Object.fromEntries(fields) as Omit<T, 'clouds' | 'tables' | 'close'>;
}

serveJobs(jobs, { isMoved: true });
