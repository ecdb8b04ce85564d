// A recording that is played: the host sends instant after instant, each is shown when the one before is on screen.
import { ref, type Ref } from 'vue';
import type { Columns } from '#contract/columns.ts';
import { isCancelled } from '#contract/errors.ts';
import type { RunSnapshot } from '#contract/host/runQueries.ts';
import type { Client } from '#renderer/client/client.ts';

export interface ReplayRequest {
  runId: string;
  fromS: number;
  /** Simulated seconds per second. */
  speed: number;
  maxPoints: number;
}

export interface Replay {
  isPlaying: Ref<boolean>;
  /** In place of what is played now. */
  start: (request: ReplayRequest) => void;
  stop: () => void;
  /** An instant is shown only when this resolves: for playing several in step. */
  waitAt: (next: (timeS: number) => Promise<void>) => void;
}

export interface ReplayEvents {
  /** `isFirst`: of what was started. */
  show: (instant: RunSnapshot, columns: Columns, isFirst: boolean) => void;
  /** Resolves once what was shown is on screen. */
  drawn: () => Promise<void>;
  failed: (failure: unknown) => void;
}

/** A replay that is not playing. */
export function createReplay(client: Client, on: ReplayEvents): Replay {
  const isPlaying = ref(false);
  let playing: AbortController | null = null;
  let gate: ((timeS: number) => Promise<void>) | null = null;
  return {
    isPlaying,
    start: (request) => void play(request),
    stop,
    waitAt(next) {
      gate = next;
    },
  };

  function stop(): void {
    playing?.abort();
    playing = null;
    isPlaying.value = false;
  }

  async function play(request: ReplayRequest): Promise<void> {
    stop();
    const controller = new AbortController();
    playing = controller;
    isPlaying.value = true;
    let isFirst = true;
    try {
      await client.call('runs.replay', request, {
        signal: controller.signal,
        onChunk: async (body, columns) => {
          const instant = body as RunSnapshot;
          await gate?.(instant.tick.timeNs / 1e9);
          if (playing !== controller) return;
          on.show(instant, columns, isFirst);
          isFirst = false;
          await on.drawn();
        },
      });
    } catch (failure) {
      if (playing === controller && !isCancelled(failure)) on.failed(failure);
    }
    if (playing === controller) stop();
  }
}
