// The head of a recording: what makes it open in other programs (channels and schemas) and what makes it
// repeatable (the compiled scenario, heights). It precedes the first chunk, so that a crash keeps it,
// and holds no path of this machine: meshes are named as the scenario names them.
import { McapRecordBuilder, type McapTypes } from '@mcap/core';
import { basename, isAbsolute } from 'node:path';
import { recordsTruth } from '#contract/documents/scenario.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { compiledFromStored } from '#contract/host/storedScenario.ts';
import type { Isa } from '#contract/worker/worker.ts';
import type { RecordingHeader } from '#services/ports/recordings.ts';
import { type McapFile, firstRecord, parseRecord, recordOpcode } from './mcap/readRecords.ts';
import { addDataBytes, emptySummary, type Summary } from './mcap/summary.ts';
import { type Epoch, recordedEpoch } from './ros/epoch.ts';
import { type Topics, topicsFor, topicsIn } from './ros/topics.ts';

/** 2: banks instead of blocks, and the engine. 3: every message is CDR. 4: clouds of drivers, truth apart. */
const formatVersion = 4;
const scenarioAttachment = 'understory.json';
const heightsAttachment = 'heights.f32';

/** Parses JSON, elsewhere where it is long; null: it is none. */
export type ParseJson = (json: string) => Promise<unknown>;

/** The attachment `understory.json`. */
interface HeadDocument {
  format: number;
  understoryVersion: string;
  isa: Isa;
  engine: string | null;
  classes: string[];
  compiled: CompiledScenario;
}

/** The bytes of the head, the summary that they start, and the channels that they declare. */
export function encodeHead(header: RecordingHeader): {
  bytes: Uint8Array;
  summary: Summary;
  topics: Topics;
} {
  const { heights, classes, isa, understoryVersion, engine, hasPlanner = false } = header;
  const compiled = withoutMachinePaths(header.compiled);
  const document: HeadDocument = {
    format: formatVersion,
    understoryVersion,
    isa,
    engine,
    classes,
    compiled,
  };
  const heightBytes = new Uint8Array(heights.buffer, heights.byteOffset, heights.byteLength);
  const topics = topicsFor(compiled.sensors.map(nameOf), {
    hasTruth: recordsTruth(compiled.scenario),
    hasPlanner,
  });
  return encodeHeadOf(`understory ${understoryVersion}`, topics, [
    [
      scenarioAttachment,
      'application/json',
      new TextEncoder().encode(JSON.stringify(document, withoutFolders)),
    ],
    [heightsAttachment, 'application/octet-stream', heightBytes],
  ]);
}

/**
 * Reads the head. @param parseJson left out: at once
 * The summary holds its entries, the checksum included; `end` is where the chunks start.
 * @throws UnderstoryError 'corrupt' where the file ends before its head does, 'unsupported' for a newer format
 */
export async function readHead(
  mcap: McapFile,
  file: string,
  parseJson?: ParseJson,
): Promise<{
  header: RecordingHeader;
  summary: Summary;
  topics: Topics;
  epoch: Epoch;
  end: number;
}> {
  const attachments = new Map<string, Uint8Array>();
  const summary = emptySummary();
  let end = firstRecord;
  let isFollowed = false;
  for await (const record of mcap.records(firstRecord)) {
    isFollowed = record.opcode === recordOpcode.chunk || record.opcode === recordOpcode.dataEnd;
    if (isFollowed) break;
    let parsed: McapTypes.TypedMcapRecord;
    try {
      parsed = parseRecord(record);
    } catch {
      break;
    }
    noteHeadRecord(summary, parsed, record.offset, record.bytes.length);
    if (parsed.type === 'Attachment') attachments.set(parsed.name, parsed.data.slice());
    end = record.offset + record.bytes.length;
  }
  addDataBytes(summary, await mcap.read(0, end));
  const { header, format } = await parseHeader(attachments, file, parseJson);
  const sensorNames = header.compiled.sensors.map(nameOf);
  const clouds = { hasDriver: format >= 4, hasTruth: recordsTruth(header.compiled.scenario) };
  const topics = topicsIn(summary, sensorNames, clouds);
  // Older recordings have fewer channels: where a chunk follows, all of them are there.
  const expected = topicsFor(sensorNames, clouds).channels.length;
  const isWhole = isFollowed || summary.channels.length >= expected;
  if (!isWhole || topics.tick < 0 || topics.scan < 0 || topics.points.includes(-1)) {
    throw new UnderstoryError('corrupt', `${file} ends before its first scan`, { file });
  }
  return { header, summary, topics, epoch: recordedEpoch(header.compiled.scenario), end };
}

function encodeHeadOf(
  library: string,
  topics: Topics,
  attachments: [name: string, mediaType: string, data: Uint8Array][],
): ReturnType<typeof encodeHead> {
  const builder = new McapRecordBuilder();
  const summary = emptySummary();
  builder.writeMagic();
  builder.writeHeader({ profile: 'ros2', library });
  for (const [name, mediaType, data] of attachments) {
    const attachment = { name, mediaType, data, logTime: 0n, createTime: 0n };
    const offset = builder.length;
    builder.writeAttachment(attachment);
    const length = builder.length - offset;
    noteHeadRecord(summary, { ...attachment, type: 'Attachment' }, offset, length);
  }
  topics.schemas.forEach((schema) => builder.writeSchema(schema));
  topics.channels.forEach((channel) => builder.writeChannel(channel));
  summary.schemas.push(...topics.schemas);
  summary.channels.push(...topics.channels);
  addDataBytes(summary, builder.buffer);
  return { bytes: builder.buffer, summary, topics };
}

function noteHeadRecord(
  summary: Summary,
  record: McapTypes.TypedMcapRecord,
  offset: number,
  length: number,
): void {
  if (record.type === 'Schema') summary.schemas.push({ ...record, data: record.data.slice() });
  if (record.type === 'Channel') summary.channels.push(record);
  if (record.type !== 'Attachment') return;
  const { name, mediaType, logTime, createTime, data } = record;
  summary.attachments.push({
    offset: BigInt(offset),
    length: BigInt(length),
    logTime,
    createTime,
    dataSize: BigInt(data.byteLength),
    name,
    mediaType,
  });
}

async function parseHeader(
  attachments: Map<string, Uint8Array>,
  file: string,
  parseJson: ParseJson = (json) => Promise.resolve(JSON.parse(json)),
): Promise<{ header: RecordingHeader; format: number }> {
  const json = attachments.get(scenarioAttachment);
  const heights = attachments.get(heightsAttachment);
  if (json === undefined || heights === undefined) {
    throw new UnderstoryError('corrupt', `${file} holds no run of Understory, or ends before it`, {
      file,
    });
  }
  const document = (await parseJson(new TextDecoder().decode(json))) as HeadDocument | null;
  if (document === null) {
    throw new UnderstoryError('corrupt', `${file}: its scenario is damaged`, { file });
  }
  if (document.format > formatVersion) {
    throw new UnderstoryError('unsupported', `${file} is from a newer Understory`, { file });
  }
  const { format, classes, isa, understoryVersion, engine = null } = document;
  const compiled = compiledFromStored(document.compiled);
  const heightsM = new Float32Array(heights.buffer);
  const header = { compiled, classes, isa, understoryVersion, engine, heights: heightsM };
  return { header, format };
}

function withoutMachinePaths(compiled: CompiledScenario): CompiledScenario {
  const { models: asWritten } = compiled.scenario.scene;
  const models = compiled.recipe.models.map((model) => {
    if (model.source.kind !== 'mesh') return model;
    const written = asWritten[model.name];
    const isFile = written?.kind === 'mesh' || written?.kind === 'learned';
    const file = isFile ? written.file : model.source.file;
    return { ...model, source: { ...model.source, file } };
  });
  return { ...compiled, recipe: { ...compiled.recipe, models } };
}

/** A file that was given by its absolute name keeps only the last part. */
function withoutFolders(key: string, value: unknown): unknown {
  const isPath = ['file', 'sensor', 'plant'].includes(key) && typeof value === 'string';
  return isPath && isAbsolute(value) ? basename(value) : value;
}

function nameOf({ name }: { name: string }): string {
  return name;
}
