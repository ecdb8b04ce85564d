// Facts about all runs: what services write into the catalogue and ask of it.
import type { Columns } from '#contract/columns.ts';
import type {
  CompiledScenario,
  Pose,
  RunEnd,
  RunEnding,
  RunMetrics,
  RunOrigin,
  RunOrder,
  RunState,
  ScanRecord,
  TickRecord,
} from '#contract/host/run.ts';
import type { Expression } from '#contract/host/expression.ts';
import type { RunFacet, RunQuery } from '#contract/host/runQueries.ts';
import type { Isa, SceneSummary } from '#contract/worker/worker.ts';
import type { CampaignCatalogue } from './campaigns.ts';

export interface RunRow {
  id: string;
  name: string;
  state: RunState;
  createdMs: number;
  endedMs: number | null;
  scenarioHash: string;
  scenarioName: string;
  seed: number;
  /** Ids of the sensors, in the scenario's order. */
  sensors: string[];
  version: string;
  isa: Isa | null;
  /** services/engine.ts; null: not known. */
  engine: string | null;
  hostName: string;
  /** Null: it was simulated in this data folder. */
  origin: RunOrigin | null;
  sceneHash: string | null;
  /** Recorded time; null: not known yet. Interrupted runs have it too, and no other metrics. */
  simSeconds: number | null;
  points: number | null;
  end: RunEnd | null;
  metrics: RunMetrics | null;
  error: string | null;
  deletedMs: number | null;
  notes: string;
  /** In alphabetical order. */
  tags: string[];
}

export interface RunFacets {
  scenarios: RunFacet[];
  states: RunFacet<RunState>[];
  sensors: RunFacet[];
  tags: RunFacet[];
  /** Runs in the trash; the other counts leave them out. */
  trashed: number;
}

/** A compiled scenario as JSON, and the SHA-256 of that text, hex. */
export interface StoredDocument {
  json: string;
  hash: string;
}

export interface NewRun {
  /** Stored form of `compiled`; left out: made by the catalogue, at once, which suits a small one. */
  document?: StoredDocument;
  /** Hash of a stored document that is like it, from which it is stored as a difference. */
  baseHash?: string | null;
  /** Hash of all that determines the run; left out: not known. */
  identity?: string | null;
  id: string;
  name: string;
  createdMs: number;
  compiled: CompiledScenario;
  version: string;
  hostName: string;
  /** Where a run was simulated elsewhere, and what simulated it. */
  origin?: RunOrigin;
  engine?: string | null;
  /** The order beside the scenario, to simulate it again. */
  order: Pick<RunOrder, 'seconds' | 'threads' | 'isa' | 'control'>;
}

export interface InstanceRow {
  id: number;
  name: string;
  class: string;
  model: string;
  pose: Pose;
  scale: number;
  minM: [number, number, number];
  maxM: [number, number, number];
}

export interface ScanRow extends ScanRecord {
  /** Returns by class name. */
  classReturns: Record<string, number>;
}

export interface SavedScene {
  summary: SceneSummary;
  isa: Isa;
  /** services/engine.ts; null: not known. */
  engine: string | null;
  recipe: CompiledScenario['recipe'];
}

/** Left out: all. */
export interface ScanFilter {
  sensor?: number;
  fromNs?: number;
  toNs?: number;
}

/** Damage in the file of a catalogue. */
export interface CatalogueFault {
  kind:
    'catalogue-damaged' | 'index-damaged' | 'rows-unreachable' | 'row-damaged' | 'campaign-differs';
  /** Table, or table.column. */
  where: string;
  /** The run of the row; null: it is of none. */
  runId: string | null;
  expected: string;
  found: string;
}

export interface CatalogueReport {
  faults: CatalogueFault[];
  /** Hashes of compiled scenarios whose text is another one. */
  damagedDocuments: string[];
}

/** Facts about all runs. Synchronous: each call is one short transaction. */
export interface Catalogue extends CampaignCatalogue {
  /** The data folder cannot be written: what would write throws 'io'. */
  readonly isReadOnly: boolean;
  /** The file that is read: a copy where the data folder cannot be written. */
  readonly file: string;
  /** Pages, references and texts. Reads the whole file, and others on this thread wait. */
  check(isQuick: boolean): CatalogueReport;
  /** Makes what follows from other rows again: indices, words to search for, sensors as rows. */
  rebuildIndices(): void;
  /** Removes rows of runs, scans, scenes and campaigns that are gone; returns how many. */
  removeUnreachable(): number;
  /** The next runs, those in the trash included, in the order of their keys. The first key is above 0. */
  runKeysAfter(key: number, limit: number): { key: number; id: string; documentHash: string }[];
  /** Calls of `work` throw 'locked' at once where they would wait for another process that writes. */
  withoutWaiting<T>(work: () => T): T;
  insertRun(run: NewRun): void;
  /** Stores the scene once for its hash and ties the run to it. */
  saveScene(runId: string, scene: SavedScene, instances: Columns): void;
  /**
   * The same in steps, for scenes of any size: false where the scene is stored already, and is tied; otherwise its
   * instances follow in slices, and it counts for the run from endScene on.
   */
  beginScene(runId: string, scene: SavedScene): boolean;
  addInstances(runId: string, recipe: SavedScene['recipe'], instances: Columns): void;
  endScene(runId: string, scene: SavedScene): void;
  addTick(runId: string, tick: TickRecord): void;
  addScan(runId: string, scan: ScanRecord, objectId: Uint32Array, objectReturns: Uint32Array): void;
  endRun(runId: string, end: Omit<RunEnding, 'errorCode'> & { endedMs: number }): void;
  /** Marks a run as interrupted, with what its recording holds. */
  markInterrupted(runId: string, error: string, endedMs: number): void;
  /** Removes what the recording of a run does not hold. */
  removeRecords(runId: string, ticks: readonly number[], scans: readonly ScanRecord[]): void;
  /** Sets the recorded time and points of a run without metrics. */
  setTotals(runId: string, totals: { simSeconds: number; points: number }): void;
  trash(runId: string, deletedMs: number): void;
  /** Takes a run out of the trash. */
  restore(runId: string): void;
  /**
   * Deletes a run permanently, with the rows that only it needs; at most `maxRecords` of its scans or of its ticks in
   * one call, and the run itself with the last of them. Returns whether it is gone.
   */
  removeRun(runId: string, maxRecords: number): boolean;
  setNotes(runId: string, notes: string): void;
  /** Returns all tags of the run. */
  changeTags(runId: string, add: string[], remove: string[]): string[];

  run(idOrPrefix: string): RunRow | null;
  runs(filter?: { state?: RunState; withTrash?: boolean; limit?: number }): RunRow[];
  /** Runs of the scenario with this hash, those in the trash included. */
  runsOfScenario(scenarioHash: string): RunRow[];
  /** A page of the runs that the query asks for, and how many there are in all. `condition`: of its `where`. */
  findRuns(query: RunQuery, condition?: Expression): { rows: RunRow[]; total: number };
  /** Values to filter by. */
  runFacets(): RunFacets;
  order(runId: string): NewRun['order'];
  compiled(runId: string): CompiledScenario;
  /** The same as JSON, to be parsed elsewhere: that of many objects is megabytes. */
  storedScenario(runId: string): string;
  /** The size of the run's scene; null before it was built. */
  sceneSummary(runId: string): SceneSummary | null;
  /** How many ticks there are of a run, and scans that overlap [fromNs, toNs). */
  counts(runId: string, filter?: ScanFilter): { ticks: number; scans: number };
  /** Ticks that ended in [fromNs, toNs], in order. */
  ticks(runId: string, interval?: { fromNs?: number; toNs?: number }): TickRecord[];
  scans(runId: string): ScanRow[];
  /** The same without their returns by class. */
  scanRecords(runId: string): ScanRecord[];
  /** Scans in which the named instance (ground cover too) has at least this many returns. */
  scansOfInstance(
    runId: string,
    name: string,
    minReturns: number,
  ): (ScanRecord & { objectReturns: number })[];
  instances(runId: string, filter?: { class?: string; limit?: number }): InstanceRow[];
  /** The plants of the run's scene, with the columns of truth.plants; null: they were not measured. */
  plants(runId: string): Columns | null;
  /** Keeps them for all runs of its scene; nothing before it was built. */
  savePlants(runId: string, plants: Columns): void;
  dispose(): void;
}
