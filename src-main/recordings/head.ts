// The head of a recording: what makes it open in other programs (channels and schemas) and what makes it
// repeatable (the compiled scenario, heights). It precedes the first chunk, so that a crash keeps it,
// and holds no path of this machine: meshes are named as the scenario names them.
import { McapRecordBuilder, type McapTypes } from '@mcap/core';
import { withoutFolders } from '#contract/documents/fileNames.ts';
import type { Parsed } from '#contract/documents/problems.ts';
import { recordsTruth } from '#contract/documents/scenario.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { hasMotions } from '#contract/worker/motions.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { heightCountOf } from '#contract/host/compiledRules.ts';
import {
  newerHead,
  recordingFormat,
  recordingHead,
  type RecordingHead,
} from '#contract/host/recordingHead.ts';
import { firstProblem } from '#contract/host/storedScenario.ts';
import type { RecordingHeader } from '#services/ports/recordings.ts';
import { type McapFile, firstRecord, parseRecord, recordOpcode } from './mcap/readRecords.ts';
import { addDataBytes, emptySummary, type Summary } from './mcap/summary.ts';
import { type Epoch, recordedEpoch } from './ros/epoch.ts';
import { sensorTopicsOf } from './ros/scanCuts.ts';
import { type Topics, topicsFor, topicsIn } from './ros/topics.ts';

const scenarioAttachment = 'understory.json';
const heightsAttachment = 'heights.f32';

/** recordingHead of a text, elsewhere where it is long. */
export type ReadHeadText = (json: string) => Promise<Parsed<RecordingHead>>;

/** The bytes of the head, the summary that they start, and the channels that they declare. */
export function encodeHead(header: RecordingHeader): {
  bytes: Uint8Array;
  summary: Summary;
  topics: Topics;
} {
  const { heights, classes, isa, understoryVersion, engine, hasPlanner = false } = header;
  const compiled = withoutMachinePaths(header.compiled);
  const document: RecordingHead = {
    format: recordingFormat,
    understoryVersion,
    isa,
    engine,
    classes,
    compiled,
  };
  const heightBytes = new Uint8Array(heights.buffer, heights.byteOffset, heights.byteLength);
  const topics = topicsFor(sensorTopicsOf(compiled), {
    hasTruth: recordsTruth(compiled.scenario),
    hasPlanner,
    hasMotions: hasMotions(compiled.recipe),
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
 * Reads the head. @param readText left out: at once
 * The summary holds its entries, the checksum included; `end` is where the chunks start.
 * @throws UnderstoryError 'corrupt' where the file ends before its head does or its scenario is none, 'unsupported' for a
 *   newer format
 */
export async function readHead(
  mcap: McapFile,
  file: string,
  readText?: ReadHeadText,
): Promise<{
  header: RecordingHeader;
  summary: Summary;
  topics: Topics;
  epoch: Epoch;
  end: number;
}> {
  const { attachments, summary, end, isFollowed } = await readRecords(mcap);
  const { header, format } = await parseHeader(attachments, file, readText);
  const sensors = sensorTopicsOf(header.compiled, format);
  const clouds = { hasDriver: format >= 4, hasTruth: recordsTruth(header.compiled.scenario) };
  const topics = topicsIn(summary, sensors, clouds);
  // Older recordings have fewer channels: where a chunk follows, all of them are there.
  const expected = topicsFor(sensors, clouds).channels.length;
  const isWhole = isFollowed || summary.channels.length >= expected;
  if (!isWhole || topics.tick < 0 || topics.scan < 0 || topics.points.includes(-1)) {
    throw new UnderstoryError('corrupt', `${file} ends before its first scan`, { file });
  }
  return { header, summary, topics, epoch: recordedEpoch(header.compiled.scenario), end };
}

/** The records before the first chunk; `end` is where they end. */
async function readRecords(mcap: McapFile): Promise<{
  attachments: Map<string, Uint8Array>;
  summary: Summary;
  end: number;
  isFollowed: boolean;
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
  return { attachments, summary, end, isFollowed };
}

/** The text of the head's document, as it is stored. @throws as readHead */
export async function readHeadText(mcap: McapFile, file: string): Promise<string> {
  return headText((await readRecords(mcap)).attachments, file).json;
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

function headText(
  attachments: ReadonlyMap<string, Uint8Array>,
  file: string,
): { json: string; heights: Uint8Array } {
  const json = attachments.get(scenarioAttachment);
  const heights = attachments.get(heightsAttachment);
  if (json === undefined || heights === undefined) {
    throw new UnderstoryError('corrupt', `${file} holds no run of Understory, or ends before it`, {
      file,
    });
  }
  return { json: new TextDecoder().decode(json), heights };
}

async function parseHeader(
  attachments: ReadonlyMap<string, Uint8Array>,
  file: string,
  readText: ReadHeadText = readAtOnce,
): Promise<{ header: RecordingHeader; format: number }> {
  const { json, heights } = headText(attachments, file);
  const { value, problems } = await readText(json);
  if (value === null) {
    if (problems[0]?.code === newerHead) {
      throw new UnderstoryError('unsupported', `${file} is from a newer Understory`, { file });
    }
    throw damagedHead(file, firstProblem(problems));
  }
  const { format, ...head } = value;
  const expected = 4 * heightCountOf(head.compiled.recipe);
  if (heights.length !== expected) {
    throw damagedHead(file, `heights: expected ${expected} bytes, found ${heights.length}`);
  }
  return { header: { ...head, heights: new Float32Array(heights.buffer) }, format };
}

/** A text that is no JSON says nothing. */
function readAtOnce(json: string): Promise<Parsed<RecordingHead>> {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    data = null;
  }
  return Promise.resolve(recordingHead(data));
}

function damagedHead(file: string, reason: string): UnderstoryError {
  return new UnderstoryError('corrupt', `${file} is damaged: ${reason}`, { file });
}

function withoutMachinePaths(compiled: CompiledScenario): CompiledScenario {
  const { models: asWritten } = compiled.scenario.scene;
  const models = compiled.recipe.models.map((model) => {
    if (model.source.kind !== 'mesh') return model;
    const written = asWritten[model.name];
    const file = written && 'file' in written ? written.file : model.source.file;
    return { ...model, source: { ...model.source, file } };
  });
  return { ...compiled, recipe: { ...compiled.recipe, models } };
}
