// Ticks and scans in the catalogue: poses, and the returns of each scan by class, by named instance (rows)
// and by ground-cover instance (one blob a scan).
import type { Activity, Pose, ScanRecord, TickRecord } from '#contract/host/run.ts';
import type { Catalogue, ScanRow } from '#services/ports/catalogue.ts';
import { packCounts, unpackCounts } from './blobs.ts';
import type { RunKey } from './runRows.ts';
import { findInRecipe, recipeIndex, recipeOf } from './sceneRecipe.ts';
import { findInstance, readSceneIndex, type SceneIndex, sceneKeys } from './sceneRows.ts';
import type { Database } from './sqlite.ts';

type ScanMethods = Pick<
  Catalogue,
  | 'addTick'
  | 'addScan'
  | 'removeRecords'
  | 'counts'
  | 'ticks'
  | 'scans'
  | 'scanRecords'
  | 'scansOfInstance'
>;

interface ScanSqlRow {
  scan_key: number;
  tick: number;
  sensor: number;
  from_ns: number;
  to_ns: number;
  pulses: number;
  returns: number;
  hash: string;
}

interface TickSqlRow {
  activity: Activity;
  gps_x_m: number | null;
  gps_y_m: number | null;
  gps_z_m: number | null;
  /** The others are numbers. */
  [column: string]: unknown;
}

/** Scenes of the runs under way whose index is cached in memory. */
const cachedScenes = 4;

/** The catalogue's methods about ticks and scans. */
export function scanMethods(database: Database, keyOf: RunKey): ScanMethods {
  const sceneKey = sceneKeys(database, keyOf);
  const statements = prepareStatements(database);
  const cached = new Map<number, SceneIndex>();
  let ofRecipe: { runKey: number; index: SceneIndex } | null = null;
  const indexOf = (runId: string): SceneIndex => {
    const key = sceneKey(runId);
    // Why: a run whose host died early, and one that was adopted, may lack its scene.
    if (key === null) {
      const runKey = keyOf(runId);
      if (ofRecipe?.runKey !== runKey) {
        ofRecipe = { runKey, index: recipeIndex(recipeOf(database, runKey)) };
      }
      return ofRecipe.index;
    }
    const index = cached.get(key) ?? readSceneIndex(database, key);
    cached.delete(key);
    cached.set(key, index);
    for (const oldest of cached.keys()) if (cached.size > cachedScenes) cached.delete(oldest);
    return index;
  };

  const insert = database.transaction(
    (runId: string, scan: ScanRecord, objectId: Uint32Array, objectReturns: Uint32Array) => {
      const key = keyOf(runId);
      const { byClass, named, covers } = sortCounts(indexOf(runId), objectId, objectReturns);
      const blob = covers.ids.length === 0 ? null : packCounts(covers.ids, covers.returns);
      const inserted = statements.insertScan.run({ ...scan, key, covers: blob });
      const scanKey = Number(inserted.lastInsertRowid);
      for (const [classId, returns] of byClass)
        statements.insertClass.run(scanKey, classId, returns);
      for (const [id, returns] of named) statements.insertInstance.run(scanKey, id, returns);
    },
  );

  const remove = database.transaction(
    (runId: string, tickNumbers: readonly number[], scanList: readonly ScanRecord[]) => {
      const key = keyOf(runId);
      for (const tick of tickNumbers) statements.deleteTick.run(key, tick);
      for (const { tick, sensor } of scanList) statements.deleteScan.run(key, tick, sensor);
    },
  );

  return {
    addTick(runId, tick) {
      const { truth, estimate, gpsM, ...record } = tick;
      const [gx = null, gy = null, gz = null] = gpsM ?? [];
      const poses = { ...poseValues('t', truth), ...poseValues('e', estimate) };
      statements.insertTick.run({ ...record, ...poses, gx, gy, gz, key: keyOf(runId) });
    },
    addScan: (...args) => insert.immediate(...args),
    removeRecords: (...args) => remove.immediate(...args),
    counts(runId, { sensor, fromNs = 0, toNs = Infinity } = {}) {
      const key = keyOf(runId);
      const scanCount =
        statements.countScans.get({ key, sensor: sensor ?? null, fromNs, toNs }) ?? 0;
      return { ticks: statements.countTicks.get(key) ?? 0, scans: scanCount };
    },
    ticks: (runId, { fromNs = 0, toNs = Infinity } = {}) =>
      statements.ticks.all(keyOf(runId), fromNs, toNs).map(toTickRecord),
    scans(runId) {
      const key = keyOf(runId);
      const rows = new Map<number, ScanRow>(
        statements.scans
          .all(key)
          .map((row) => [row.scan_key, { ...toScanRecord(row), classReturns: {} }]),
      );
      const counts = statements.classCounts.all(key);
      if (counts.length > 0) {
        const { classes } = indexOf(runId);
        for (const { scan_key, class_id, returns } of counts) {
          const row = rows.get(scan_key);
          if (row !== undefined) row.classReturns[classes[class_id] ?? ''] = returns;
        }
      }
      return [...rows.values()];
    },
    scanRecords: (runId) => statements.scans.all(keyOf(runId)).map(toScanRecord),
    scansOfInstance(runId, name, minReturns) {
      const key = keyOf(runId);
      const scene = sceneKey(runId);
      const { id, isCover } =
        scene === null
          ? findInRecipe(recipeOf(database, key), name)
          : findInstance(database, scene, name);
      if (!isCover) {
        const rows = statements.ofNamed.all(key, id, minReturns);
        return rows.map((row) => ({ ...toScanRecord(row), objectReturns: row.object_returns }));
      }
      const found: (ScanRecord & { objectReturns: number })[] = [];
      for (const row of statements.withCovers.iterate(key)) {
        const objectReturns = row.covers === null ? 0 : returnsOf(row.covers, id);
        if (objectReturns > 0 && objectReturns >= minReturns) {
          found.push({ ...toScanRecord(row), objectReturns });
        }
      }
      return found;
    },
  };
}

function prepareStatements(database: Database) {
  return {
    insertTick: database.prepare(`
    INSERT INTO ticks (run_key, tick, time_ns, truth_x_m, truth_y_m, truth_z_m, truth_qx, truth_qy,
      truth_qz, truth_qw, estimate_x_m, estimate_y_m, estimate_z_m, estimate_qx, estimate_qy,
      estimate_qz, estimate_qw, speed_m_per_s, distance_to_goal_m, collisions, activity, gps_x_m,
      gps_y_m, gps_z_m)
    VALUES (@key, @tick, @timeNs, @tx, @ty, @tz, @tqx, @tqy, @tqz, @tqw,
      @ex, @ey, @ez, @eqx, @eqy, @eqz, @eqw, @speedMPerS, @distanceToGoalM, @collisions, @activity,
      @gx, @gy, @gz)`),
    insertScan: database.prepare(`
    INSERT INTO scans (run_key, tick, sensor, from_ns, to_ns, pulses, returns, hash, covers)
    VALUES (@key, @tick, @sensor, @fromNs, @toNs, @pulses, @returns, @hash, @covers)`),
    insertClass: database.prepare(
      'INSERT INTO scan_classes (scan_key, class_id, returns) VALUES (?, ?, ?)',
    ),
    insertInstance: database.prepare(
      'INSERT INTO scan_instances (scan_key, instance_id, returns) VALUES (?, ?, ?)',
    ),
    deleteTick: database.prepare('DELETE FROM ticks WHERE run_key = ? AND tick = ?'),
    deleteScan: database.prepare('DELETE FROM scans WHERE run_key = ? AND tick = ? AND sensor = ?'),
    ticks: database.prepare<[number, number, number], TickSqlRow>(
      'SELECT * FROM ticks WHERE run_key = ? AND time_ns BETWEEN ? AND ? ORDER BY tick',
    ),
    scans: database.prepare<[number], ScanSqlRow>(`
    SELECT scan_key, tick, sensor, from_ns, to_ns, pulses, returns, hash FROM scans
    WHERE run_key = ? ORDER BY tick, sensor`),
    countTicks: database
      .prepare<[number], number>('SELECT count(*) FROM ticks WHERE run_key = ?')
      .pluck(),
    countScans: database
      .prepare<[object], number>(
        `SELECT count(*) FROM scans WHERE run_key = @key AND (@sensor IS NULL OR sensor = @sensor)
        AND to_ns > @fromNs AND from_ns < @toNs`,
      )
      .pluck(),
    classCounts: database.prepare<
      [number],
      { scan_key: number; class_id: number; returns: number }
    >(`
    SELECT scan_key, class_id, scan_classes.returns FROM scan_classes JOIN scans USING (scan_key)
    WHERE run_key = ?`),
    ofNamed: database.prepare<[number, number, number], ScanSqlRow & { object_returns: number }>(`
    SELECT scans.*, scan_instances.returns AS object_returns
    FROM scans JOIN scan_instances USING (scan_key)
    WHERE run_key = ? AND instance_id = ? AND scan_instances.returns >= ? ORDER BY tick, sensor`),
    withCovers: database.prepare<[number], ScanSqlRow & { covers: Uint8Array | null }>(
      'SELECT * FROM scans WHERE run_key = ? ORDER BY tick, sensor',
    ),
  };
}

/** Sums by class, and splits the instances into named ones and ground cover. Id 0 is nothing. */
function sortCounts(
  { classOf, covers }: SceneIndex,
  objectId: Uint32Array,
  objectReturns: Uint32Array,
): {
  byClass: Map<number, number>;
  named: [id: number, returns: number][];
  covers: { ids: Uint32Array; returns: Uint32Array };
} {
  const byClass = new Map<number, number>();
  const named: [number, number][] = [];
  const coverIds: number[] = [];
  const coverReturns: number[] = [];
  for (let i = 0; i < objectId.length; i++) {
    const [id = 0, returns = 0] = [objectId[i], objectReturns[i]];
    if (id === 0 || returns === 0) continue;
    const classId = classOf[id] ?? 0;
    byClass.set(classId, (byClass.get(classId) ?? 0) + returns);
    if (covers.some(({ firstId, endId }) => id >= firstId && id < endId)) {
      coverIds.push(id);
      coverReturns.push(returns);
    } else {
      named.push([id, returns]);
    }
  }
  const cover = { ids: Uint32Array.from(coverIds), returns: Uint32Array.from(coverReturns) };
  return { byClass, named, covers: cover };
}

function returnsOf(blob: Uint8Array, id: number): number {
  const { ids, returns } = unpackCounts(blob);
  return returns[ids.indexOf(id)] ?? 0;
}

function toScanRecord(row: ScanSqlRow): ScanRecord {
  const { tick, sensor, from_ns: fromNs, to_ns: toNs, pulses, returns, hash } = row;
  return { tick, sensor, fromNs, toNs, pulses, returns, hash };
}

function poseValues(prefix: 't' | 'e', pose: Pose): Record<string, number> {
  const [x, y, z] = pose.positionM;
  const [qx, qy, qz, qw] = pose.rotation;
  const values = { x, y, z, qx, qy, qz, qw };
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [prefix + key, value]));
}

function toTickRecord(row: TickSqlRow): TickRecord {
  const value = (name: string): number => Number(row[name]);
  const { gps_x_m: gpsX, gps_y_m: gpsY, gps_z_m: gpsZ } = row;
  const pose = (kind: 'truth' | 'estimate'): Pose => ({
    positionM: [value(`${kind}_x_m`), value(`${kind}_y_m`), value(`${kind}_z_m`)],
    rotation: [value(`${kind}_qx`), value(`${kind}_qy`), value(`${kind}_qz`), value(`${kind}_qw`)],
  });
  return {
    tick: value('tick'),
    timeNs: value('time_ns'),
    truth: pose('truth'),
    estimate: pose('estimate'),
    speedMPerS: value('speed_m_per_s'),
    distanceToGoalM: value('distance_to_goal_m'),
    collisions: value('collisions'),
    activity: row.activity,
    ...(gpsX !== null && gpsY !== null && gpsZ !== null && { gpsM: [gpsX, gpsY, gpsZ] }),
  };
}
