// Rewrites documents of older versions as the present one, step by step. Comments, order and everything that a step
// does not name stay as they are (editDocument.ts). A format that changes adds a step here and raises its version in
// contract/documents/versions.ts.
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import type { Problem } from '#contract/documents/problems.ts';
import {
  documentFormats,
  statedVersion,
  type DocumentFormat,
  type StatedVersion,
} from '#contract/documents/versions.ts';
import { isMapping } from './documentData.ts';
import { documentData, editDocument } from './editDocument.ts';

/** From one version to the next, of a document as plain data; the version itself is set besides. */
type Step = (data: Record<string, unknown>) => {
  edits: DocumentEdit[];
  /** Fields without an equivalent in the next version, which were left out. */
  notes?: Problem[];
};

/** By format: entry k leads from version k + 1 to k + 2. */
const steps: Record<DocumentFormat, Step[]> = {
  scenario: [gapsInsteadOfTransmittance],
  sensor: [banksInsteadOfBlocks, thresholdsOfSignal],
  plant: [],
  species: [],
  campaign: [],
};

export interface Upgrade {
  /** Format and version of the old text. */
  from: StatedVersion;
  /** The present version of the format. */
  to: number;
  /** The upgraded text; as it was where it has the present version. */
  text: string;
  /** Fields that the present version lacks, each with its path in the old text. */
  notes: Problem[];
}

/**
 * Upgrades the text of a document of any format. The result has the present version, and may have problems of
 * its own: nothing but the steps is checked.
 */
export function upgradeDocument(
  text: string,
): { value: Upgrade; problems: [] } | { value: null; problems: Problem[] } {
  const data = documentData(text);
  const from = statedVersion(data);
  if (from === null) {
    const keys = Object.values(documentFormats).map(({ key }) => `'${key}'`);
    const message = `expected a document that states its version with ${keys.join(', ')}`;
    return { value: null, problems: [{ path: '(document)', code: 'no-version', message }] };
  }
  const { key, version: to } = documentFormats[from.format];
  const newer = newerProblem(from);
  if (newer !== null) return { value: null, problems: [newer] };
  const notes: Problem[] = [];
  let upgraded = text;
  for (let version = from.version; version < to; version += 1) {
    const before = documentData(upgraded);
    const step = steps[from.format][version - 1];
    if (step === undefined || !isMapping(before)) break;
    const taken = step(before);
    notes.push(...(taken.notes ?? []));
    const edits: DocumentEdit[] = [...taken.edits, { path: [key], op: 'set', value: version + 1 }];
    const { text: next, problems } = editDocument(upgraded, edits);
    if (problems.length > 0) return { value: null, problems };
    upgraded = next;
  }
  return { value: { from, to, text: upgraded, notes }, problems: [] };
}

/** Why a document of another version than the present one is not read; null where it has the present one. */
export function versionProblem(data: unknown, format: DocumentFormat): Problem | null {
  const stated = statedVersion(data);
  if (stated?.format !== format) return null;
  const { key, version: present } = documentFormats[format];
  if (stated.version >= present) return newerProblem(stated);
  const message = `expected version ${present} of the ${format} format, found ${stated.version}: 'understory upgrade FILE' rewrites it`;
  return { path: key, code: 'older-version', message };
}

function newerProblem({ format, version }: StatedVersion): Problem | null {
  const { key, version: present } = documentFormats[format];
  if (version <= present) return null;
  const message = `expected at most version ${present} of the ${format} format, found ${version}: the file needs a newer Understory`;
  return { path: key, code: 'newer-version', message };
}

/** Version 2: what goes straight through a surface is its gap fraction; a transmittance is diffuse. */
function gapsInsteadOfTransmittance(data: Record<string, unknown>): ReturnType<Step> {
  const { scene } = data;
  const materials = isMapping(scene) ? scene['materials'] : undefined;
  if (!isMapping(materials)) return { edits: [] };
  const edits = Object.entries(materials).flatMap(([name, material]): DocumentEdit[] =>
    isMapping(material) && 'transmittance' in material
      ? [
          {
            path: ['scene', 'materials', name, 'transmittance'],
            op: 'rename',
            value: 'gapFraction',
          },
        ]
      : [],
  );
  return { edits };
}

/** Version 2: groups of lasers are called banks. */
function banksInsteadOfBlocks(data: Record<string, unknown>): ReturnType<Step> {
  const edits: DocumentEdit[] = [];
  const { recalled } = data;
  if (Array.isArray(recalled)) {
    for (const [index, path] of recalled.entries()) {
      if (typeof path !== 'string' || !/^blocks\b/.test(path)) continue;
      edits.push({ path: ['recalled', index], op: 'set', value: path.replace(/^blocks/, 'banks') });
    }
  }
  if ('blocks' in data) edits.push({ path: ['blocks'], op: 'rename', value: 'banks' });
  return { edits };
}

/**
 * Version 3: a detection threshold compares with the signal of an echo by the radar equation (PHYSICS.md, 1.3).
 * With radiometry 'radar-equation' it did so before, but ray by ray without a range resolution or a waveform: on a
 * wall the beam's rays times as much. With 'relative' it had no distance, and no number in 1/m² is the same.
 */
function thresholdsOfSignal(data: Record<string, unknown>): ReturnType<Step> {
  const { returns, radiometry, beam } = data;
  const threshold = isMapping(returns) ? returns['detectionThreshold'] : undefined;
  if (!isMapping(returns) || typeof threshold !== 'number' || threshold === 0) return { edits: [] };
  const path = ['returns', 'detectionThreshold'];
  if (radiometry !== 'radar-equation') {
    const message = `left out: ${threshold} had no unit of distance, which the signal of version 3 has (1/m²); returns.detection states a limit as a data sheet does`;
    const note = { path: path.join('.'), code: 'not-converted', message };
    return { edits: [{ path, op: 'remove' }], notes: [note] };
  }
  const resolution = returns['rangeResolutionM'];
  if (isMapping(returns['waveform']) || (typeof resolution === 'number' && resolution > 0)) {
    return { edits: [] };
  }
  const rays = isMapping(beam) && isMapping(beam['rays']) ? beam['rays']['count'] : 9;
  const value = threshold * (typeof rays === 'number' ? rays : 9);
  return { edits: [{ path, op: 'set', value }] };
}
