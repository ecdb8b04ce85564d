// Truth of the plants of scenes: one blob a scene, for all of its runs.
import type { Catalogue } from '#services/ports/catalogue.ts';
import { packColumns, unpackColumns } from './blobs.ts';
import type { RunKey } from './runRows.ts';
import { sceneKeys } from './sceneRows.ts';
import type { Database } from './sqlite.ts';

/** The catalogue's methods about plants. */
export function plantMethods(
  database: Database,
  keyOf: RunKey,
): Pick<Catalogue, 'plants' | 'savePlants'> {
  const sceneKey = sceneKeys(database, keyOf);
  const plantsOf = database
    .prepare<[number], Uint8Array>('SELECT plants FROM scene_plants WHERE scene_key = ?')
    .pluck();
  const insert = database.prepare(
    'INSERT OR REPLACE INTO scene_plants (scene_key, plants) VALUES (?, ?)',
  );
  return {
    plants(runId) {
      const key = sceneKey(runId);
      const blob = key === null ? undefined : plantsOf.get(key);
      return blob === undefined ? null : unpackColumns(blob);
    },
    savePlants(runId, columns) {
      const key = sceneKey(runId);
      if (key !== null) insert.run(key, packColumns(columns));
    },
  };
}
