// A catalogue of thousands of made-up runs, each identified by its number.
import { openSqlite } from '#catalogue/sqlite.ts';
import type { RunState } from '#contract/host/run.ts';

/** State of the run of this number. */
export function stateOf(index: number): RunState {
  return index % 7 === 0 ? 'failed' : 'finished';
}

/** Points of the run of this number. */
export function pointsOf(index: number): number {
  return (index * 7919) % 1_000_003;
}

/**
 * Makes so many runs: rows straight into the file, in one transaction: ten thousand insertRun calls would take a
 * minute.
 */
export function fillCatalogue(file: string, count: number): void {
  const database = openSqlite(file, { timeoutMs: 0 });
  const insert = database.prepare(`
    INSERT INTO runs (id, name, state, created_ms, ended_ms, document_hash, scenario_hash, scenario_name,
      seed, sensors, version, isa, host_name, run_order, end_reason, figures, notes)
    VALUES (?, ?, ?, ?, ?, 'd', 'h', ?, ?, ?, '0.1.0', 'avx2', 'here', '{}', 'goal', ?, ?)`);
  const tag = database.prepare('INSERT INTO run_tags VALUES (?, ?)');
  const template = Object.fromEntries(
    [
      'wallSeconds',
      'buildSeconds',
      'ticks',
      'pulses',
      'pathLengthM',
      'energyJ',
      'planMedianMs',
    ].map((name, index) => [name, 1.23456789 * index]),
  );
  database.transaction(() => {
    database.prepare("INSERT INTO documents (hash, json) VALUES ('d', '{}')").run();
    for (let index = 0; index < count; index++) {
      const metrics = {
        ...template,
        simSeconds: (index * 31) % 97,
        realTimeFactor: ((index * 13) % 101) / 50,
        points: pointsOf(index),
        collisions: index % 4,
        distanceToGoalM: ((index * 17) % 1009) / 10,
        meanPositionErrorM: ((index * 19) % 211) / 1000,
      };
      const sensors = [['vlp-16'], ['hdl-64e', 'lms-291'], ['os1-64']][index % 3];
      const { lastInsertRowid } = insert.run(
        ...[`run-${index}`, `drive ${(index * 7919) % count}`, stateOf(index)],
        ...[1.7e12 + index * 60_000, 1.7e12 + index * 60_000 + 5000],
        ...[`forest-${index % 9}`, index % 50, JSON.stringify(sensors)],
        ...[JSON.stringify(metrics), index % 5 === 0 ? 'at night in the rain' : ''],
      );
      tag.run(lastInsertRowid, `tag-${index % 17}`);
    }
  })();
  database.close();
}
