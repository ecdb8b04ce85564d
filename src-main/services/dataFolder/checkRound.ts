// One check of a data folder under way: what was found so far, what was repaired, and how far it is.
import { isCancelled, throwIfCancelled, toWire, UnderstoryError } from '#contract/errors.ts';
import {
  findingKinds,
  maxFindings,
  type CheckedCounts,
  type DataReplies,
  type Finding,
  type FindingKind,
  type Repair,
} from '#contract/host/dataMethods.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { HandlerContext } from '#services/handlers.ts';

/** A thing that is wrong, and its repair. */
export interface Fault {
  kind: FindingKind;
  path: string;
  runId?: string | null;
  expected: string;
  found: string;
  repair?: { as: Repair; work: () => unknown };
}

export interface CheckRound {
  readonly isQuick: boolean;
  readonly context: HandlerContext;
  readonly checked: CheckedCounts;
  /** How many there were so far. */
  readonly repairs: number;
  /** Adds a finding, and repairs it where that was asked for and can be done. */
  report(fault: Fault): Promise<void>;
  /** Counts bytes that were read. */
  onBytes(bytes: number): void;
  /** Begins a phase of so many parts. @throws 'cancelled' */
  begin(phase: string, total: number): void;
  /** @throws 'cancelled' */
  advance(parts: number): void;
  reply(dataFolder: string): DataReplies['data.check'];
}

/** Progress is sent at steps of this share. */
const step = 0.002;

export function createCheckRound(
  { isQuick, isRepairing }: RequestOf<'data.check'>,
  context: HandlerContext,
): CheckRound {
  const { signal } = context;
  const checked = { runs: 0, recordings: 0, campaigns: 0, meshes: 0, logs: 0, models: 0 };
  const findings: Finding[] = [];
  let leftOut = 0;
  let repairs = 0;
  let isSound = true;
  let bytesRead = 0;
  let phase = { phase: '', done: 0, total: 0 };
  let sent = 0;
  return {
    isQuick,
    context,
    checked,
    get repairs() {
      return repairs;
    },
    async report({ repair, runId = null, ...fault }) {
      throwIfCancelled(signal);
      const severity = findingKinds[fault.kind];
      const outcome = isRepairing && repair !== undefined ? await repaired(repair) : notAsked;
      if (outcome.outcome !== 'found') repairs += 1;
      if (severity === 'damage' && outcome.outcome !== 'repaired') isSound = false;
      if (findings.length >= maxFindings) leftOut += 1;
      else findings.push({ ...fault, severity, runId, repair: repair?.as ?? null, ...outcome });
    },
    onBytes(bytes) {
      throwIfCancelled(signal);
      bytesRead += bytes;
      if (!isQuick) advance(bytes);
    },
    begin(name, total) {
      throwIfCancelled(signal);
      phase = { phase: name, done: 0, total };
      sent = 0;
      context.progress({ ...phase });
    },
    advance,
    reply: (dataFolder) => ({
      dataFolder,
      isSound,
      checked,
      bytesRead,
      findings: findings.sort((a, b) => rankOf(a) - rankOf(b)),
      leftOut,
    }),
  };

  function advance(parts: number): void {
    throwIfCancelled(signal);
    // Why the limit: a file may grow while it is read.
    phase.done = Math.min(phase.done + parts, phase.total);
    if (phase.done - sent < step * phase.total) return;
    sent = phase.done;
    context.progress({ ...phase });
  }
}

type Outcome = Pick<Finding, 'outcome' | 'failure'>;

const notAsked: Outcome = { outcome: 'found', failure: null };

async function repaired({ as, work }: NonNullable<Fault['repair']>): Promise<Outcome> {
  try {
    await work();
    return { outcome: as === 'tag' ? 'marked' : 'repaired', failure: null };
  } catch (error) {
    if (isCancelled(error)) throw error;
    if (!(error instanceof UnderstoryError)) throw error;
    return { outcome: 'failed', failure: error.message };
  }
}

function rankOf({ severity }: Finding): number {
  return severity === 'damage' ? 0 : 1;
}

/** The result of `read`, or the message of what is damaged. @throws any other failure */
export async function orDamage<T>(
  read: () => Promise<T> | T,
): Promise<{ value: T; damage: null } | { value: null; damage: string }> {
  try {
    return { value: await read(), damage: null };
  } catch (error) {
    const { code, message } = toWire(error);
    const isOfFile = ['corrupt', 'bad-input', 'not-found', 'unsupported', 'protocol', 'io'];
    if (!(error instanceof UnderstoryError) || !isOfFile.includes(code)) throw error;
    return { value: null, damage: message };
  }
}
