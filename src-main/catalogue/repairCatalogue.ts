// Repairs of a catalogue that lose nothing: what follows from other rows is made again, and rows of what is gone go.
import type { Database } from './sqlite.ts';

/** Indices, words to search for, sensors as rows. */
export function rebuildIndices(database: Database): void {
  database.exec(`REINDEX;
    DELETE FROM run_search;
    INSERT INTO run_search (rowid, name, scenario, sensors, notes, tags)
      SELECT run_key, name, scenario_name, sensors, notes,
        coalesce((SELECT group_concat(tag, ' ') FROM run_tags WHERE run_tags.run_key = runs.run_key), '')
      FROM runs;
    DELETE FROM run_sensors;
    INSERT OR IGNORE INTO run_sensors
      SELECT run_key, value FROM runs, json_each(runs.sensors) WHERE json_valid(runs.sensors);`);
}

interface ForeignKey {
  id: number;
  table: string;
  from: string;
  to: string | null;
  on_delete: string;
}

interface OwnedTable {
  table: string;
  parent: string;
  from: string[];
  to: string[];
}

/** Tables whose rows go with the row that they belong to. */
export function ownedTables(database: Database): OwnedTable[] {
  const tables = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all();
  return tables.flatMap((table) => {
    const keys = database.pragma(`foreign_key_list("${table}")`) as ForeignKey[];
    const owning = keys.filter(({ on_delete: action }) => action === 'CASCADE');
    return [...new Set(owning.map(({ id }) => id))].map((id) => {
      const columns = owning.filter((key) => key.id === id);
      return {
        table,
        parent: columns[0]?.table ?? '',
        from: columns.map(({ from }) => from),
        to: columns.map(({ from, to }) => to ?? from),
      };
    });
  });
}

/** Returns how many rows there were. */
export function removeUnreachable(database: Database): number {
  return ownedTables(database).reduce((sum, { table, parent, from, to }) => {
    const removed = database
      .prepare(
        `DELETE FROM ${table} WHERE (${from.join(', ')}) NOT IN (SELECT ${to.join(', ')} FROM ${parent})`,
      )
      .run();
    return sum + removed.changes;
  }, 0);
}
