// Orders of a campaign that are prepared ahead, handed to processes so that each stays with its scene. Guarantees: an
// order is handed out once; no process waits while one is there, so that an order may wait for the end of another.
import { nextOfScenes, runsAhead } from '#domain/campaign/sceneAffinity.ts';
import type { CampaignOrder } from '#services/ports/campaignRunner.ts';

export interface OrderQueue {
  /** Resolves when an order is there; false: none comes any more. */
  ready(): Promise<boolean>;
  /** The next order of a lane; null: none comes any more. @throws what preparing it has thrown, once all before are taken */
  take(lane: number): Promise<CampaignOrder | null>;
}

/** Objects of scenes that wait: each takes about a kilobyte. */
const maxObjects = 50_000;

/** `ended`: no order is prepared or handed out from then on. */
export function createOrderQueue(
  orders: AsyncGenerator<CampaignOrder, void>,
  ended: AbortSignal,
): OrderQueue {
  const waiting: CampaignOrder[] = [];
  const scenes: (string | null)[] = [];
  let wakers: (() => void)[] = [];
  let isFilling = false;
  let isEmpty = false;
  let failure: { thrown: unknown } | null = null;
  const wake = (): void => {
    for (const each of wakers.splice(0)) each();
  };
  ended.addEventListener('abort', wake, { once: true });
  const isOver = (): boolean => ended.aborted || failure !== null || isEmpty;
  const changed = (): Promise<void> => new Promise((resolve) => (wakers = [...wakers, resolve]));

  return {
    async ready() {
      void fill();
      while (waiting.length === 0 && !isOver()) await changed();
      return waiting.length > 0 && !ended.aborted;
    },
    async take(lane) {
      void fill();
      while (waiting.length === 0 && !isOver()) await changed();
      if (ended.aborted) return null;
      const others = new Set(
        scenes.flatMap((scene, index) => (scene === null || index === lane ? [] : [scene])),
      );
      const index = nextOfScenes(
        waiting.map(({ scene }) => scene),
        scenes[lane] ?? null,
        others,
      );
      const [order] = index < 0 ? [] : waiting.splice(index, 1);
      if (order === undefined) {
        if (failure !== null) throw failure.thrown;
        return null;
      }
      scenes[lane] = order.scene;
      void fill();
      return order;
    },
  };

  /** Prepares orders until enough wait. */
  async function fill(): Promise<void> {
    if (isFilling) return;
    isFilling = true;
    try {
      while (!isOver() && hasRoom()) {
        const next = await orders.next();
        if (next.done === true) isEmpty = true;
        else waiting.push(next.value);
        wake();
      }
    } catch (thrown) {
      failure = { thrown };
      wake();
    } finally {
      isFilling = false;
    }
  }

  function hasRoom(): boolean {
    const objects = waiting.reduce((sum, { order }) => sum + objectsOf(order), 0);
    return waiting.length < runsAhead && (waiting.length === 0 || objects < maxObjects);
  }
}

function objectsOf({ compiled: { recipe } }: CampaignOrder['order']): number {
  return recipe.instances.length + recipe.scatters.length;
}
