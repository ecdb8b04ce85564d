// What a recording says of its ticks and scans. Only the chunks with facts are read, which are small; a cloud is
// read where it is asked for. For bringing the catalogue into agreement with a recording.
import { UnderstoryError } from '#contract/errors.ts';
import type { ScanFacts, TickFacts } from '#contract/host/run.ts';
import type { RecordedScan, RecordedTick, RecordingFacts } from '#services/ports/recordings.ts';
import { readHead } from './head.ts';
import { readChunkTable } from './mcap/chunkTable.ts';
import { chunkMessages, openMcapFile } from './mcap/readRecords.ts';
import { createFinder, readChunk } from './recordingMoments.ts';
import type { ScanMessage } from './ros/jsonMessages.ts';
import { decodeCloud } from './ros/pointCloud.ts';

/** Opens a recording for its facts. @throws as openRecording */
export async function openFacts(file: string): Promise<RecordingFacts> {
  const mcap = await openMcapFile(file);
  try {
    const { header, topics, end } = await readHead(mcap, file);
    const chunks = await readChunkTable(mcap, end);
    const find = createFinder(mcap, chunks);
    const ticks: TickFacts[] = [];
    const written = new Map<string, ScanMessage>();
    for (const chunk of chunks) {
      if (!chunk.channels.has(topics.tick) && !chunk.channels.has(topics.scan)) continue;
      for (const { channelId, data } of chunkMessages(await readChunk(mcap, chunk))) {
        if (channelId === topics.tick) ticks.push(tickFacts(parseJson<RecordedTick>(data)));
        if (channelId !== topics.scan) continue;
        const facts = parseJson<ScanMessage>(data);
        written.set(keyOf(facts), facts);
      }
    }
    const cloudOf = async ({ sensor, toNs }: ScanFacts): Promise<Uint8Array | null> => {
      const channel = topics.points[sensor];
      if (channel === undefined) return null;
      return (await find.latest(channel, toNs, toNs))?.data ?? null;
    };
    // Why only the last: a cloud follows its facts, so none but the last can be missing.
    for (const [sensor] of topics.points.entries()) {
      const last = [...written.values()].findLast((facts) => facts.sensor === sensor);
      if (last !== undefined && (await cloudOf(last)) === null) written.delete(keyOf(last));
    }
    return {
      header,
      ticks,
      scans: [...written.values()].map(scanFacts),
      async scan(facts): Promise<RecordedScan> {
        const known = written.get(keyOf(facts));
        const cloud = known === undefined ? null : await cloudOf(known);
        if (known === undefined || cloud === null) {
          const message = `${file} lacks the points of tick ${facts.tick}, sensor ${facts.sensor}`;
          throw new UnderstoryError('corrupt', message, { file });
        }
        return { ...scanFacts(known), ...decodeCloud(cloud, BigInt(known.firstPulse)) };
      },
      close: () => mcap.close(),
    };
  } catch (error) {
    await mcap.close();
    throw error;
  }
}

function keyOf({ tick, sensor }: ScanFacts): string {
  return `${tick}/${sensor}`;
}

function scanFacts({ tick, sensor, fromNs, toNs, pulses, returns, hash }: ScanFacts): ScanFacts {
  return { tick, sensor, fromNs, toNs, pulses, returns, hash };
}

function tickFacts({ sensorPoses: _, ...facts }: RecordedTick): TickFacts {
  return facts;
}

function parseJson<T>(data: Uint8Array): T {
  return JSON.parse(new TextDecoder().decode(data)) as T;
}
