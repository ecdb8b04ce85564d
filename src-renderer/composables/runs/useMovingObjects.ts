// Moving objects of a run in its view: read once, when the run shows its first instant, and then computed for each.
import type { MovingObject, ObjectState } from '#contract/host/movingObjects.ts';
import { objectStatesAt } from '#domain/shared/motion/objects.ts';
import { useClient } from '#renderer/client/injection.ts';

/** Shows their states at a time of the run; nothing where they cannot be read. */
export function useMovingObjects(
  runId: () => string | null,
  show: (objects: readonly ObjectState[]) => void,
): { showAt: (timeS: number) => void } {
  const client = useClient();
  let read: { runId: string; objects: readonly MovingObject[] } | null = null;
  let shownS = 0;
  return {
    showAt(timeS) {
      const id = runId();
      shownS = timeS;
      if (id === null) return;
      // Why not before: the scene of a run that has just begun is not built yet.
      if (read?.runId !== id) void readOf(id);
      else if (read.objects.length > 0) show(objectStatesAt(read.objects, timeS));
    },
  };

  async function readOf(id: string): Promise<void> {
    read = { runId: id, objects: [] };
    const reply = await client.call('runs.objects', { runId: id }).catch(() => null);
    if (reply === null || runId() !== id) return;
    read = { runId: id, objects: reply.objects };
    show(objectStatesAt(read.objects, shownS));
  }
}
