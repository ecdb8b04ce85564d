// data.check: whether everything in a data folder is what the catalogue and the files' own checksums say, and what is
// done about what is not.
import { z } from 'zod';

export const dataRequests = {
  'data.check': z
    .strictObject({
      isQuick: z
        .boolean()
        .default(false)
        .describe('structure and sizes only; no recording, mesh or log is read as a whole'),
      isRepairing: z.boolean().default(false).describe('does what loses nothing (repairTexts)'),
    })
    .describe('checks catalogue, runs, recordings, meshes, logs, locks and leftovers'),
} as const satisfies Record<string, z.ZodType>;

/** 'damage': something is lost, or not what it should be. 'note': nothing is. */
export type FindingSeverity = 'damage' | 'note';

/** Kinds of findings, and whether each is damage. */
export const findingKinds = {
  'catalogue-damaged': 'damage',
  /** An index, the words to search for, sensors as rows: made again from rows. */
  'index-damaged': 'damage',
  /** Rows of something that is gone. */
  'rows-unreachable': 'damage',
  /** A cell whose text cannot be used, or a row that refers to nothing. */
  'row-damaged': 'damage',
  /** The compiled scenario of a run. */
  'scenario-damaged': 'damage',
  'campaign-differs': 'damage',
  'recording-missing': 'damage',
  'recording-damaged': 'damage',
  /** Without its end, though no process writes it. */
  'recording-cut-off': 'damage',
  /** The recording of another run, or one with other ticks and scans than the catalogue has. */
  'recording-differs': 'damage',
  /** Heights or commands of a run without a recording. */
  'side-file-missing': 'damage',
  'side-file-damaged': 'damage',
  'mesh-missing': 'damage',
  'mesh-damaged': 'damage',
  'log-damaged': 'damage',
  'model-damaged': 'damage',
  'lock-damaged': 'damage',
  /** A folder with a recording that is not in the catalogue. */
  'run-without-row': 'damage',
  'run-under-way': 'note',
  /** Catalogued as running, and no process holds it. */
  'run-interrupted': 'note',
  'campaign-interrupted': 'note',
  /** In the trash, and not deleted; or the reverse. */
  'run-misplaced': 'note',
  'mesh-unused': 'note',
  /** A file of a process that is gone. */
  leftover: 'note',
  'token-readable': 'note',
  'unknown-file': 'note',
} as const satisfies Record<string, FindingSeverity>;

export type FindingKind = keyof typeof findingKinds;

/** Effects of repairs. None removes a recording, a mesh or a row of a run. */
export const repairTexts = {
  adopt: 'add the run to the catalogue from its recording',
  close: 'close the recording after its last whole chunk and mark the run as interrupted',
  reconcile: 'bring ticks and scans of the catalogue into agreement with the recording',
  rebuild: 'make indices again from the rows',
  'remove-rows': 'remove rows of what is gone',
  reset: 'mark its planned runs as pending',
  move: 'move the folder to where the catalogue has it',
  'set-aside': 'move the file to the folder set-aside, so that an import can replace it',
  remove: 'remove the file',
  restrict: 'let only its owner read the file',
  tag: "mark the run with the tag 'damaged'; the file stays as it is",
} as const;

export type Repair = keyof typeof repairTexts;

export interface Finding {
  kind: FindingKind;
  severity: FindingSeverity;
  /** Relative to the data folder. */
  path: string;
  runId: string | null;
  expected: string;
  found: string;
  /** Done about it by a check with repairs; null: nothing is. */
  repair: Repair | null;
  /** 'marked': the damage is still there. 'failed': `failure` says why. */
  outcome: 'found' | 'repaired' | 'marked' | 'failed';
  failure: string | null;
}

/** How many were checked. */
export interface CheckedCounts {
  runs: number;
  recordings: number;
  campaigns: number;
  meshes: number;
  logs: number;
  models: number;
}

export interface DataReplies {
  'data.check': {
    dataFolder: string;
    /** Nothing is damaged, or all that was is repaired. */
    isSound: boolean;
    checked: CheckedCounts;
    /** Bytes of recordings, meshes, logs and side files. */
    bytesRead: number;
    /** Damage first; at most maxFindings. */
    findings: Finding[];
    /** Findings beyond those. */
    leftOut: number;
  };
}

/** More are counted, and repaired too, but not listed. */
export const maxFindings = 10_000;
