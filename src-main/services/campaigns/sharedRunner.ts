// A runner whose results are shared through a folder: a run that has a result there is not executed, its events are
// replayed; all others are executed by a further runner, and their results stored before they are reported. Guarantee: a
// catalogue that is filled from the folder has what an execution would have written.
import { encodeFrame, FrameReader, type Frame } from '#contract/wire/frame.ts';
import type { WireError } from '#contract/errors.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { RunEvent, RunOutcome } from '#contract/host/run.ts';
import type {
  CampaignOrder,
  CampaignResult,
  CampaignRunner,
} from '#services/ports/campaignRunner.ts';
import type { SharedResults } from '#services/ports/sharedResults.ts';
import {
  includesParts,
  recordedPartsOf,
  type RecordedParts,
} from '#domain/campaign/recordedParts.ts';
import { joinBytes } from '#domain/shared/joinBytes.ts';
import { identityOf } from '#services/runs/identity.ts';

export interface SharedRunnerPorts {
  results: SharedResults;
  hostName: string;
  /** Results of failed runs are removed. */
  isRetrying: boolean;
}

/** The last frame of a stored result. */
interface StoredEnd {
  outcome: RunOutcome | null;
  error: WireError | null;
  wallS: number;
  attempts: number;
  hostName: string;
  /** Null: there is no recording beside it. */
  recorded: RecordedParts | null;
}

/** Results that say nothing about the run itself: it is executed again. */
const passing: readonly string[] = ['cancelled', 'disk-full'];

/** `inner`: executes what has no result; null: nothing is executed, such runs stay pending. */
export function createSharedRunner(
  { results, hostName, isRetrying }: SharedRunnerPorts,
  engine: string,
  inner: CampaignRunner | null,
): CampaignRunner {
  return {
    async run(orders, report, signal) {
      const frames = new Map<number, Uint8Array[]>();
      if (inner === null) {
        for await (const order of missing()) {
          await order.begin();
          await report(order, notExecuted);
        }
        return;
      }
      await inner.run(
        missing(),
        async (order, result) => {
          const events = frames.get(order.planIndex) ?? [];
          frames.delete(order.planIndex);
          if (result.error === null || !passing.includes(result.error.code)) {
            const { outcome, error, wallS, attempts } = result;
            const file = result.error === null ? order.order.recordingFile : null;
            const recorded = file === null ? null : recordedPartsOf(order.order.compiled);
            const end: StoredEnd = { outcome, error, wallS, attempts, hostName, recorded };
            const bytes = joinBytes([...events, frameOf(end, {})]);
            await results.write(await identityOfOrder(order, engine), bytes, file);
          }
          await report(order, result);
        },
        signal,
      );

      /** Orders without a result that has all they ask for; those with one are reported in passing. */
      async function* missing(): AsyncGenerator<CampaignOrder, void> {
        for await (const order of orders) {
          if (signal.aborted) return;
          const identity = await identityOfOrder(order, engine);
          const stored = await results.read(identity);
          let found = stored === null ? null : read(stored);
          if (isRetrying && found?.end.outcome === null) {
            await results.remove(identity);
            found = null;
          }
          if (found !== null && hasRecorded(order, found.end)) await replay(order, found);
          else yield keeping(order);
        }
      }

      async function replay(order: CampaignOrder, { events, end }: StoredResult): Promise<void> {
        const { recordingFile } = order.order;
        await order.begin();
        const identity = await identityOfOrder(order, engine);
        const hasFile =
          recordingFile === null ||
          end.outcome === null ||
          (await results.copyRecording(identity, recordingFile));
        if (!hasFile) return report(order, withoutRecording);
        for (const { event, columns } of events) await order.onRunEvent(event, columns);
        await report(order, resultOf(end));
      }

      /** The order, with its events stored. */
      function keeping(order: CampaignOrder): CampaignOrder {
        return {
          ...order,
          beginAgain() {
            frames.delete(order.planIndex);
            return order.beginAgain();
          },
          onRunEvent(event, columns) {
            const before = frames.get(order.planIndex) ?? [];
            before.push(frameOf(event, columns));
            frames.set(order.planIndex, before);
            return order.onRunEvent(event, columns);
          },
        };
      }
    },
  };
}

const notExecuted: CampaignResult = {
  outcome: null,
  error: { code: 'cancelled', message: 'no task has executed the run yet' },
  wallS: 0,
  attempts: 0,
};
const withoutRecording: CampaignResult = {
  ...notExecuted,
  error: { code: 'cancelled', message: 'the result has no recording' },
};

function identityOfOrder({ order }: CampaignOrder, engine: string): Promise<string> {
  const { compiled, seconds, isa } = order;
  if (isa === null) throw new UnderstoryError('internal', 'a campaign has one instruction set');
  return identityOf({ scenarioHash: compiled.scenarioHash, engine, isa, seconds });
}

function frameOf(body: unknown, columns: Frame['columns']): Uint8Array {
  return encodeFrame({ header: { kind: 'event', id: 0, body }, columns });
}

interface StoredResult {
  events: { event: RunEvent; columns: Frame['columns'] }[];
  end: StoredEnd;
}

/** Whether a result has the recording that the order asks for; runs that failed have none. */
function hasRecorded({ order }: CampaignOrder, { outcome, recorded }: StoredEnd): boolean {
  if (order.recordingFile === null || outcome === null) return true;
  return recorded !== null && includesParts(recorded, recordedPartsOf(order.compiled));
}

/** @throws 'corrupt' */
function read(stored: Uint8Array): StoredResult {
  const frames = new FrameReader().push(stored);
  const last = frames.pop();
  if (last === undefined) throw new UnderstoryError('corrupt', 'a result of a run is empty');
  // Why the casts: the same program wrote them, whole; identities of another engine are others.
  return {
    events: frames.map(({ header, columns }) => ({ event: header.body as RunEvent, columns })),
    end: last.header.body as StoredEnd,
  };
}

function resultOf({ outcome, error, wallS, attempts, hostName }: StoredEnd): CampaignResult {
  if (outcome !== null) return { outcome, error: null, wallS, attempts, hostName };
  const wire: WireError = error ?? { code: 'internal', message: 'a result has no outcome' };
  return { outcome: null, error: wire, wallS, attempts, hostName };
}
