// Inputs of the measures of a run, collected from its events while it is executed. Memory: a few numbers a tick and
// scan, never points.
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { CompiledScenario, RunEvent, RunMetrics, TickRecord } from '#contract/host/run.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { scanKey, type MeasuredRun, type MeasuredScan } from '#domain/campaign/measuredRun.ts';

export interface RecordCollector {
  take(event: RunEvent, columns: Columns): void;
  measured(metrics: RunMetrics): MeasuredRun;
}

/** @param names instances that measures may ask for; names that the scene lacks are ignored */
export function createRecordCollector(
  { recipe, sensors }: CompiledScenario,
  names: ReadonlySet<string>,
): RecordCollector {
  const classOf = classesOf(recipe);
  const nameOf = namesOf(recipe, names);
  const ticks: TickRecord[] = [];
  const scans: MeasuredScan[] = [];
  const byInstance = new Map<string, Map<string, number>>();
  return {
    take(event, columns) {
      if (event.kind === 'tick') ticks.push(event.tick);
      if (event.kind !== 'scan') return;
      const { object_id: ids, object_returns: returns } = columns;
      if (!(ids instanceof Uint32Array) || !(returns instanceof Uint32Array)) {
        throw new UnderstoryError('protocol', 'a scan event came without its counts');
      }
      const { tick, sensor: index, toNs, pulses, returns: total } = event.scan;
      const sensor = sensors[index]?.name ?? '';
      const classReturns: Record<string, number> = {};
      const key = scanKey({ tick, sensor });
      for (const [row, id] of ids.entries()) {
        const count = returns[row] ?? 0;
        if (id === 0 || count === 0) continue;
        const name = recipe.classes[classOf[id] ?? 0] ?? '';
        classReturns[name] = (classReturns[name] ?? 0) + count;
        const instance = nameOf.get(id);
        if (instance === undefined) continue;
        const counts = byInstance.get(instance) ?? new Map<string, number>();
        byInstance.set(instance, counts.set(key, count));
      }
      scans.push({ tick, sensor, timeS: toNs / 1e9, pulses, returns: total, classReturns });
    },
    measured: (metrics) => ({
      metrics,
      scans: () => scans,
      ticks: () => ticks,
      instanceReturns: (name) => byInstance.get(name) ?? new Map<string, number>(),
    }),
  };
}

/** The class of each instance by its id. */
function classesOf({ instances, scatters }: SceneRecipe): Uint16Array {
  const ends = [
    ...instances.map(({ id }) => id + 1),
    ...scatters.map(({ firstId, count }) => firstId + count),
  ];
  const classOf = new Uint16Array(ends.reduce((most, end) => Math.max(most, end), 0));
  for (const { id, class: classId } of instances) classOf[id] = classId;
  for (const { firstId, count, class: classId } of scatters) {
    classOf.fill(classId, firstId, firstId + count);
  }
  return classOf;
}

/** Names of the instances that are asked for, by id. */
function namesOf(recipe: SceneRecipe, names: ReadonlySet<string>): Map<number, string> {
  const byId = new Map<number, string>();
  for (const name of names) {
    const placed = recipe.instances.find((instance) => instance.name === name);
    if (placed !== undefined) byId.set(placed.id, name);
    const [, scatterName, number] = /^(.*)-([1-9][0-9]*)$/.exec(name) ?? [];
    const scatter = recipe.scatters.find((candidate) => candidate.name === scatterName);
    const id = (scatter?.firstId ?? 0) + Number(number) - 1;
    if (placed === undefined && scatter !== undefined && Number(number) <= scatter.count) {
      byId.set(id, name);
    }
  }
  return byId;
}
