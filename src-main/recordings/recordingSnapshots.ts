// Instants of a recording: found by the index of its chunks, so that of a file of gigabytes
// only the chunks of that instant are read. A few small chunks are cached; clouds never are.
import { recordsTruth } from '#contract/documents/scenario.ts';
import { sampledColumns, shownPoints, type SampledScan } from '#contract/host/shownPoints.ts';
import type {
  RecordedMap,
  RecordedSnapshot,
  RecordedPath,
  RecordedTick,
  RecordingSnapshots,
} from '#services/ports/recordings.ts';
import { type ReadHeadText, readHead } from './head.ts';
import { type ChunkEntry, readChunkTable, type SimulatedTime } from './mcap/chunkTable.ts';
import {
  chunkContent,
  chunkMessages,
  damagedAt,
  openMcapFile,
  type McapFile,
} from './mcap/readRecords.ts';
import { sampleCloud, sampleDriverCloud, type CloudSample } from './ros/cloudSample.ts';
import { driverClouds } from './ros/driverCloud.ts';
import { readTickMessage } from './ros/jsonMessages.ts';
import { readMap, readPath } from './ros/messages.ts';

/** Uncompressed chunks that are cached, none larger than this: those with ticks, maps and paths. */
const cachedChunks = 4;
const cachedBytes = 2 ** 22;

/** Opens a recording for looking at instants. @throws as openRecording */
export async function openSnapshots(
  file: string,
  readHeadText?: ReadHeadText,
): Promise<RecordingSnapshots> {
  const mcap = await openMcapFile(file);
  try {
    const { header, topics, epoch, end } = await readHead(mcap, file, readHeadText);
    const chunks = await readChunkTable(mcap, end, epoch.simulatedLog);
    const find = createFinder(mcap, chunks, epoch.simulatedLog);
    const { scenario } = header.compiled;
    const { cellM } = scenario.navigation.costMap;
    const hasTruth = recordsTruth(scenario);
    const drivers = { clouds: driverClouds(header.compiled), epoch };
    const samplesOf = async (
      { tick, timeNs }: Pick<RecordedTick, 'tick' | 'timeNs'>,
      maxPoints: number,
    ): Promise<(SampledScan & CloudSample)[]> => {
      const clouds: { sensor: number; data: Uint8Array }[] = [];
      for (const [sensor, channel] of topics.points.entries()) {
        const cloud = await find.latest(channel, timeNs, timeNs);
        if (cloud !== null) clouds.push({ sensor, data: cloud.data });
      }
      const take = { maxPoints: Math.floor(maxPoints / Math.max(clouds.length, 1)), turn: tick };
      if (hasTruth) {
        return clouds.flatMap(({ sensor, data }) => {
          const recipe = drivers.clouds[sensor]?.recipe;
          if (recipe === undefined) return [];
          return [{ sensor, ...sampleCloud(data, sampledColumns, { recipe, epoch }, take) }];
        });
      }
      const recorded = await find.latest(topics.tick, timeNs, timeNs);
      if (recorded === null) return [];
      const poses = readTickMessage(recorded.data);
      return clouds.map(({ sensor, data }) => ({
        sensor,
        ...sampleDriverCloud(data, drivers, sensor, poses, take),
      }));
    };
    return {
      isComplete: mcap.isComplete,
      lastTimeNs: chunks
        .filter(({ channels }) => channels.has(topics.tick))
        .reduce((last, { endNs }) => Math.max(last, endNs), 0),
      async at(timeNs, { maxPoints, mapUnlessNs = NaN, pathUnlessNs = NaN }) {
        const found = await find.latest(topics.tick, timeNs);
        if (found === null) return null;
        const tick = readTickMessage(found.data);
        const samples = await samplesOf(tick, maxPoints);
        const map = await find.latest(topics.map, tick.timeNs);
        const path = await find.latest(topics.plan, tick.timeNs);
        return {
          tick,
          columns: shownPoints(samples),
          returns: samples.reduce((sum, { returns }) => sum + returns, 0),
          map: unless<RecordedMap>(map, mapUnlessNs, (data) => readMap(data, cellM, epoch)),
          path: unless<RecordedPath>(path, pathUnlessNs, (data) => readPath(data, epoch)),
        } satisfies RecordedSnapshot;
      },
      async scans(tick, maxPoints) {
        return shownPoints(await samplesOf(tick, maxPoints));
      },
      maps: () => valuesOf(mcap, chunks, topics.map, (data) => readMap(data, cellM, epoch)),
      paths: () => valuesOf(mcap, chunks, topics.plan, (data) => readPath(data, epoch)),
      close: () => mcap.close(),
    };
  } catch (error) {
    await mcap.close();
    throw error;
  }
}

async function* valuesOf<T>(
  mcap: McapFile,
  chunks: readonly ChunkEntry[],
  channel: number,
  read: (data: Uint8Array) => T,
): AsyncGenerator<T> {
  for (const { offset, length } of chunks.filter(({ channels }) => channels.has(channel))) {
    for (const { channelId, data } of chunkMessages(await readChunk(mcap, { offset, length }))) {
      if (channelId === channel) yield read(data);
    }
  }
}

/** Reads a message unless it is the one of that time, which the caller has already. */
function unless<T>(
  message: FoundMessage | null,
  timeNs: number,
  read: (data: Uint8Array) => T,
): T | null {
  return message === null || message.timeNs === timeNs ? null : read(message.data);
}

/** A message, and the simulated time at which it was logged. */
interface FoundMessage {
  timeNs: number;
  data: Uint8Array;
}

/** Looks for messages by channel and time, with a cache of the chunks that were read last. */
export function createFinder(
  mcap: McapFile,
  chunks: readonly ChunkEntry[],
  simulated: SimulatedTime,
): {
  /** The last message of the channel in [fromNs, timeNs]. */
  latest(channel: number, timeNs: number, fromNs?: number): Promise<FoundMessage | null>;
} {
  const kept = new Map<number, Uint8Array>();
  const byChannel = new Map<number, ChunkEntry[]>();
  for (const chunk of chunks) {
    for (const channel of chunk.channels) {
      const list = byChannel.get(channel) ?? [];
      list.push(chunk);
      byChannel.set(channel, list);
    }
  }
  return {
    async latest(channel, timeNs, fromNs = 0) {
      const candidates = byChannel.get(channel) ?? [];
      for (let index = lastStartingBy(candidates, timeNs); index >= 0; index -= 1) {
        const chunk = candidates[index];
        if (chunk === undefined || chunk.endNs < fromNs) break;
        const content = await contentOf(chunk);
        const message = lastMessage(content, channel, [fromNs, timeNs], simulated);
        if (message !== null) return message;
      }
      return null;
    },
  };

  async function contentOf({ offset, length }: ChunkEntry): Promise<Uint8Array> {
    const known = kept.get(offset);
    if (known !== undefined) return known;
    const content = await readChunk(mcap, { offset, length });
    if (content.length <= cachedBytes) {
      kept.set(offset, content);
      for (const oldest of kept.keys()) if (kept.size > cachedChunks) kept.delete(oldest);
    }
    return content;
  }
}

/** Content of a chunk. @throws UnderstoryError 'corrupt' where a closed file is damaged there */
export async function readChunk(
  mcap: McapFile,
  { offset, length }: Pick<ChunkEntry, 'offset' | 'length'>,
): Promise<Uint8Array> {
  const bytes = await mcap.read(offset, length);
  const content = await chunkContent({ opcode: bytes[0] ?? 0, offset, bytes });
  if (content !== null) return content;
  if (mcap.isComplete) throw damagedAt(mcap, offset);
  // Why empty: a chunk that a crash left half written holds nothing for a screen.
  return new Uint8Array(0);
}

/** Index of the last chunk that starts at the time or before it, -1: none does. Times never go back. */
function lastStartingBy(chunks: readonly ChunkEntry[], timeNs: number): number {
  let [low, high] = [0, chunks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((chunks[middle]?.startNs ?? 0) <= timeNs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function lastMessage(
  content: Uint8Array,
  channel: number,
  [fromNs, toNs]: readonly [number, number],
  simulated: SimulatedTime,
): FoundMessage | null {
  let last: FoundMessage | null = null;
  for (const { channelId, logTime, data } of chunkMessages(content)) {
    if (channelId !== channel) continue;
    const timeNs = simulated(logTime);
    if (timeNs >= fromNs && timeNs <= toNs) last = { timeNs, data };
  }
  return last;
}
