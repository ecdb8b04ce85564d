// The events of a run under way, as the catalogue gets them.
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { RunEvent } from '#contract/host/run.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { Catalogue, SavedScene } from '#services/ports/catalogue.ts';

/** Rows of instances that are written at a time, in some 40 ms. */
const rowsAtOnce = 2048;

/** Writes the events of one run, in order. */
export function createEventSaving(
  catalogue: Catalogue,
  runId: string,
  recipe: SceneRecipe,
): (event: RunEvent, columns: Columns) => void {
  let saving: SavedScene | null = null;
  return (event, columns) => {
    switch (event.kind) {
      case 'scene': {
        const { summary, isa, engine } = event;
        const scene = { summary, isa, engine, recipe };
        saving = catalogue.beginScene(runId, scene) ? scene : null;
        break;
      }
      case 'instances':
        if (saving === null) return;
        catalogue.addInstances(runId, recipe, columns);
        if (event.fromRow + (columns['instance_id']?.length ?? 0) < event.total) return;
        catalogue.endScene(runId, saving);
        saving = null;
        break;
      case 'tick':
        catalogue.addTick(runId, event.tick);
        break;
      case 'scan': {
        const { object_id: objectId, object_returns: objectReturns } = columns;
        if (!(objectId instanceof Uint32Array) || !(objectReturns instanceof Uint32Array)) {
          throw new UnderstoryError('protocol', 'a scan event came without its counts');
        }
        catalogue.addScan(runId, event.scan, objectId, objectReturns);
        break;
      }
    }
  };
}

/** An event as it is written: instances in slices, between which the host answers others. */
export function partsOf(event: RunEvent, columns: Columns): [RunEvent, Columns][] {
  const rows = columns['instance_id']?.length ?? 0;
  if (event.kind !== 'instances' || rows <= rowsAtOnce) return [[event, columns]];
  return Array.from({ length: Math.ceil(rows / rowsAtOnce) }, (_, index) => {
    const from = index * rowsAtOnce;
    const part = Object.entries(columns).map(([name, array]) => [
      name,
      array.subarray(from, from + rowsAtOnce),
    ]);
    return [{ ...event, fromRow: event.fromRow + from }, Object.fromEntries(part) as Columns];
  });
}
