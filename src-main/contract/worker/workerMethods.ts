// Methods of the native worker: for each its request, its reply and its chunks, with the columns that go
// along. Handlers in native-workers/scanWorker answer exactly these names; replies and chunks are checked once, where
// they arrive.
import type { z } from 'zod';
import {
  type Arrays,
  checkedColumns,
  type Columns,
  type ColumnTypes,
  columnTypes,
  rayColumns,
  returnColumns,
  typesOf,
} from '../columns.ts';
import { UnderstoryError } from '../errors.ts';
import { parseWith } from '../documents/problems.ts';
import {
  describeRequestSchema,
  descriptionColumns,
  sensorDescriptionSchema,
} from './sensorDescription.ts';
import * as evaluate from './evaluate.ts';
import * as learn from './learn.ts';
import * as views from './learnedViews.ts';
import { motionColumns } from './motions.ts';
import { puffColumns } from './weatherRecipe.ts';
import * as template from './rowTemplate.ts';
import { groundColumns, groundReplySchema } from './learnedGround.ts';
import { signalColumns, signalReplySchema, signalRequestSchema } from './pulseSignal.ts';
import { mapColumns, mapGroundColumns, sightedColumns } from './tickMap.ts';
import * as truth from './truth.ts';
import * as voxelBeams from './voxelBeams.ts';
import * as worker from './worker.ts';
import {
  benchNativeReplySchema,
  benchRawReplySchema,
  benchRawRequestSchema,
} from './workerBench.ts';

/** The columns of a message: those that are always there, and those that may be. */
interface ColumnContract {
  always: ColumnTypes;
  maybe: ColumnTypes;
}

interface MessageContract extends ColumnContract {
  body: z.ZodType;
}

interface MethodContract {
  request: MessageContract;
  reply: MessageContract;
  /** null: none come. */
  chunk: MessageContract | null;
}

const none = { always: {}, maybe: {} };
const returnTypes = typesOf(returnColumns);

type Sampled = { [N in keyof typeof returnTypes as `sample_${N}`]: (typeof returnTypes)[N] };
// Why the cast: names that are put together are strings to Object.fromEntries.
const sampleTypes = Object.fromEntries(
  Object.entries(returnTypes).map(([name, type]) => [`sample_${name}`, type]),
) as Sampled;

const sceneRequest = {
  body: worker.sceneRequestSchema,
  always: { heights: 'f32' },
  maybe: {},
} as const;
const sceneReply = { body: worker.sceneSummarySchema, ...none } as const;
const besideTrajectory = { ...worker.platformColumns, ...motionColumns, ...puffColumns };
const scanned = { always: worker.trajectoryColumns, maybe: besideTrajectory } as const;
/** Also the columns of `packed` and `map`. */
const scannedRows = {
  always: worker.trajectoryColumns,
  maybe: {
    ...besideTrajectory,
    packed_before: 'u8',
    packed_after: 'u8',
    packed_blank: 'u8',
    ...mapColumns,
    ...mapGroundColumns,
  },
} as const;

/** Methods that need a built scene fail with 'bad-input' without one; `learn.*`, `log.*` and `sensor.describe` need none. */
const workerMethods = {
  hello: {
    request: { body: worker.noRequestSchema, ...none },
    reply: { body: worker.helloSchema, ...none },
    chunk: null,
  },
  'scene.plan': { request: sceneRequest, reply: sceneReply, chunk: null },
  'scene.build': { request: sceneRequest, reply: sceneReply, chunk: null },
  'scene.instances': {
    request: { body: worker.instancesRequestSchema, ...none },
    reply: { body: worker.instancesReplySchema, always: worker.instanceColumns, maybe: {} },
    chunk: null,
  },
  'scene.plants': {
    request: { body: worker.noRequestSchema, always: worker.plantsRequestColumns, maybe: {} },
    reply: { body: worker.rowsChunkSchema, always: worker.instanceColumns, maybe: {} },
    chunk: null,
  },
  'scene.heightAt': {
    request: { body: worker.heightRequestSchema, ...none },
    reply: { body: worker.heightReplySchema, ...none },
    chunk: null,
  },
  'scene.mesh': {
    request: { body: worker.meshRequestSchema, ...none },
    reply: { body: worker.meshReplySchema, always: worker.meshColumns, maybe: {} },
    chunk: null,
  },
  'scene.ground': {
    request: { body: worker.noRequestSchema, ...none },
    reply: { body: groundReplySchema, always: groundColumns, maybe: {} },
    chunk: null,
  },
  'truth.plants': {
    request: { body: truth.plantTruthRequestSchema, ...none },
    reply: { body: truth.plantTruthReplySchema, ...none },
    chunk: { body: worker.rowsChunkSchema, always: truth.plantTruthColumns, maybe: {} },
  },
  'truth.voxels': {
    request: { body: truth.voxelTruthRequestSchema, ...none },
    reply: { body: truth.voxelTruthReplySchema, always: truth.voxelReplyColumns, maybe: {} },
    chunk: { body: truth.voxelChunkSchema, always: truth.voxelTruthColumns, maybe: {} },
  },
  'truth.gaps': {
    request: { body: truth.gapTruthRequestSchema, ...none },
    reply: { body: truth.gapTruthReplySchema, always: truth.gapTruthColumns, maybe: {} },
    chunk: null,
  },
  'sensor.describe': {
    request: { body: describeRequestSchema, ...none },
    reply: { body: sensorDescriptionSchema, always: descriptionColumns, maybe: {} },
    chunk: null,
  },
  scan: {
    request: { body: worker.scanRequestSchema, ...scannedRows },
    reply: {
      body: worker.scanReplySchema,
      always: { object_id: 'u32', object_returns: 'u32' },
      maybe: { packed: 'u8', ...sampleTypes, ...sightedColumns, ...mapGroundColumns },
    },
    chunk: { body: worker.rowsChunkSchema, always: {}, maybe: returnTypes },
  },
  'scan.write': {
    request: { body: template.writeRequestSchema, always: template.writeColumns, maybe: {} },
    reply: { body: template.writeReplySchema, ...none },
    chunk: null,
  },
  'scan.rays': {
    request: { body: worker.raysRequestSchema, ...scanned },
    reply: { body: worker.rayReplySchema, ...none },
    chunk: { body: worker.rowsChunkSchema, always: typesOf(rayColumns), maybe: {} },
  },
  'scan.waveforms': {
    request: { body: worker.intervalRequestSchema, ...scanned },
    reply: { body: worker.waveformReplySchema, ...none },
    chunk: { body: worker.waveformBinsSchema, always: worker.waveformColumns, maybe: {} },
  },
  /** Fails with 'not-found' where the interval has no pulse of that number. */
  'scan.signal': {
    request: { body: signalRequestSchema, ...scanned },
    reply: { body: signalReplySchema, always: signalColumns, maybe: {} },
    chunk: null,
  },
  render: {
    request: { body: worker.renderRequestSchema, ...none },
    reply: { body: worker.noRequestSchema, always: { rgb: 'u8' }, maybe: {} },
    chunk: null,
  },
  /** Like the other methods about logs, it fails with 'scene-too-large', 'bad-input' or 'corrupt' for logs that it refuses. */
  'learn.model': {
    request: { body: learn.learnRequestSchema, ...none },
    reply: { body: learn.learnReplySchema, ...none },
    chunk: null,
  },
  'learn.evaluate': {
    request: { body: evaluate.evaluateRequestSchema, ...none },
    reply: { body: evaluate.evaluateReplySchema, always: evaluate.evaluationColumns, maybe: {} },
    chunk: null,
  },
  'log.compare': {
    request: { body: evaluate.compareRequestSchema, ...none },
    reply: { body: evaluate.compareReplySchema, ...none },
    chunk: null,
  },
  'log.voxels': {
    request: { body: voxelBeams.voxelBeamsRequestSchema, ...none },
    reply: { body: voxelBeams.voxelBeamsReplySchema, ...none },
    chunk: {
      body: voxelBeams.voxelBeamsChunkSchema,
      always: voxelBeams.voxelBeamsColumns,
      maybe: {},
    },
  },
  'learn.elements': {
    request: { body: views.elementsRequestSchema, ...none },
    reply: { body: views.elementsReplySchema, ...none },
    chunk: { body: views.elementsChunkSchema, always: {}, maybe: views.elementsColumns },
  },
  'learn.sample': {
    request: { body: views.sampleRequestSchema, ...none },
    reply: { body: views.sampleReplySchema, ...none },
    chunk: { body: worker.rowsChunkSchema, always: views.sampleColumns, maybe: {} },
  },
  'learn.place': {
    request: { body: views.placeRequestSchema, ...none },
    reply: { body: views.placeReplySchema, always: views.placeColumns, maybe: {} },
    chunk: null,
  },
  'log.cloud': {
    request: { body: views.cloudRequestSchema, ...none },
    reply: { body: views.cloudReplySchema, ...none },
    chunk: { body: worker.rowsChunkSchema, always: views.cloudColumns, maybe: {} },
  },
  'bench.native': {
    request: { body: worker.scanRequestSchema, ...scannedRows },
    reply: { body: benchNativeReplySchema, ...none },
    chunk: null,
  },
  'bench.raw': {
    request: { body: benchRawRequestSchema, ...scannedRows },
    reply: { body: benchRawReplySchema, ...none },
    chunk: null,
  },
} as const satisfies Record<string, MethodContract>;

export type WorkerMethods = typeof workerMethods;
export type WorkerMethodName = keyof WorkerMethods;
export const workerMethodNames = Object.keys(workerMethods) as WorkerMethodName[];

/** Names of the columns that a request for the method may have; the worker refuses others. */
export function requestColumnsOf(method: WorkerMethodName): string[] {
  const { always, maybe } = workerMethods[method].request;
  return [...Object.keys(always), ...Object.keys(maybe)];
}

/** A message as its contract says: a body, and columns of their types. */
export interface CheckedMessage<C extends MessageContract> {
  body: z.output<C['body']>;
  columns: Arrays<C['always']> & Partial<Arrays<C['maybe']>>;
}

export type WorkerRequest<M extends WorkerMethodName> = CheckedMessage<WorkerMethods[M]['request']>;
export type WorkerReply<M extends WorkerMethodName> = CheckedMessage<WorkerMethods[M]['reply']>;
export type WorkerChunk<M extends WorkerMethodName> = CheckedMessage<
  Extract<WorkerMethods[M]['chunk'], MessageContract>
>;

/** A reply as it arrived, checked. @throws UnderstoryError 'protocol' where it is not as the contract says */
export function checkedReply<M extends WorkerMethodName>(
  method: M,
  message: { body: unknown; columns: Columns },
): WorkerReply<M> {
  return checkedMessage(message, workerMethods[method].reply);
}

/** A chunk, likewise. */
export function checkedChunk<M extends WorkerMethodName>(
  method: M,
  message: { body: unknown; columns: Columns },
): WorkerChunk<M> {
  const contract: MessageContract | null = workerMethods[method].chunk;
  if (contract === null) {
    throw new UnderstoryError('protocol', `the worker sent a part of an answer to '${method}'`);
  }
  // Why the cast: the compiler does not follow null through a method that is a type parameter.
  return checkedMessage(message, contract) as WorkerChunk<M>;
}

/**
 * The received data, once they match the contract.
 * @throws UnderstoryError 'protocol' with every problem: a fault of the worker, or of another version of it
 */
function checkedMessage<C extends MessageContract>(
  { body, columns }: { body: unknown; columns: Columns },
  contract: C,
): CheckedMessage<C> {
  const parsed = parseWith(contract.body, body);
  const [problem] = parsed.problems;
  if (problem !== undefined) {
    const message = `the worker sent another body: ${problem.path}: ${problem.message}`;
    throw new UnderstoryError('protocol', message, { problems: parsed.problems });
  }
  for (const [name, array] of Object.entries(columns)) {
    const type = contract.always[name] ?? contract.maybe[name];
    if (type !== undefined && array instanceof columnTypes[type]) continue;
    const message = `the worker sent a column '${name}' that the contract does not have so`;
    throw new UnderstoryError('protocol', message);
  }
  checkedColumns(columns, contract.always);
  return {
    // Why the casts: zod's output of a schema that is a type parameter is unknown to the compiler, and the
    // columns were looked at just now.
    body: parsed.value as z.output<C['body']>,
    columns: columns as CheckedMessage<C>['columns'],
  };
}
