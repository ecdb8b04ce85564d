// Edits of a part for another kind of surface, ground or pattern: the fields that it needs
// come with it, those that it must not have go.
import { entries, field } from '#contract/documents/unknownData.ts';
import { freeName } from './sceneChanges.ts';
import { surveyOfKind } from './surveyKinds.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import type { PartKind } from './sceneParts.ts';

/** A change of a part at a path from it. */
export interface PartChange {
  path: DocumentPath;
  value: unknown;
  isRemoved?: boolean;
}

/** Edits for a mapping's new names and values, name by name, so that the others keep their comments. */
export function mappingEdits(path: DocumentPath, before: unknown, after: unknown): PartChange[] {
  const [old, now] = [new Map(entries(before)), new Map(entries(after))];
  if (now.size === 0) return [{ path, value: null, isRemoved: true }];
  const gone = [...old.keys()].filter((name) => !now.has(name));
  const set = [...now].filter(([name, value]) => old.get(name) !== value);
  return [
    ...gone.map((name) => ({ path: [...path, name], value: null, isRemoved: true })),
    ...set.map(([name, value]) => ({ path: [...path, name], value })),
  ];
}

/** Changes at paths from the part. For other fields: the value alone. `document`: the whole scenario. */
export function choiceEdits(
  kind: PartKind,
  data: unknown,
  path: DocumentPath,
  value: string,
  document: unknown,
): PartChange[] {
  const name = path.join('.');
  if (kind === 'scatter' && name === 'model') {
    const [ownName, model] = [field(data, 'name'), field(data, 'model')];
    // Why: a name that was proposed from the model would name the wrong one.
    const isProposed =
      typeof ownName === 'string' && ownName.replace(/-[a-z]$/, '') === `${String(model)}-scatter`;
    const renamed = { path: ['name'], value: freeName(document, `${value}-scatter`) };
    return [{ path, value }, ...(isProposed ? [renamed] : [])];
  }
  if (kind === 'material' && name === 'surface.kind') {
    const surface = { path: ['surface'], value: surfaceTemplates[value] ?? { kind: value } };
    if (!['mirror', 'glass', 'water'].includes(value)) return [surface];
    // Their own law says what passes them.
    const foreign = ['transmittance', 'gapFraction'].filter(
      (key) => field(data, key) !== undefined,
    );
    return [
      surface,
      ...foreign.map((key) => ({ path: [key], value: null, isRemoved: true })),
      ...(value === 'mirror' ? [] : [{ path: ['reflectance'], value: 0 }]),
    ];
  }
  if (kind === 'survey' && name === 'kind') {
    return [{ path: [], value: surveyOfKind(data, value) }];
  }
  if (kind === 'ground' && name === 'kind') {
    const materials = field(data, 'material');
    const others = Object.fromEntries(
      entries(data).filter(([key]) => key === 'sizeM' || key === 'centreM'),
    );
    const sizeM = [100, 100];
    const material = typeof materials === 'string' ? materials : 'soil';
    if (value === 'none') return [{ path: [], value: { kind: value } }];
    if (value === 'plane' || value === 'terrain')
      return [{ path: [], value: { kind: value, sizeM, ...others, material } }];
    const field16 = { kind: value, file: 'heights.png', sizeM, ...others, zM: [0, 5], material };
    return [{ path: [], value: field16 }];
  }
  if (kind === 'scatter' && name === 'pattern') {
    const isPoisson = value === 'poisson-disk';
    const hasSpacing = field(data, 'minSpacingM') !== undefined;
    return [
      { path, value },
      ...(isPoisson && !hasSpacing ? [{ path: ['minSpacingM'], value: 2 }] : []),
      ...(!isPoisson && hasSpacing
        ? [{ path: ['minSpacingM'], value: null, isRemoved: true }]
        : []),
    ];
  }
  return [{ path, value }];
}

const surfaceTemplates: Record<string, unknown> = {
  'oren-nayar': { kind: 'oren-nayar', roughnessDeg: 20 },
  retroreflector: { kind: 'retroreflector', gain: 100, halfWidthDeg: 20 },
};
