// Strokes of the brush as edits of a part with an area: its polygon grows, or it gets exclusion zones; zones that are
// painted over go.
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { field, items } from '#contract/documents/unknownData.ts';
import { placeToScene } from '#contract/worldOrigin.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { documentOrigin } from '#renderer/logic/scene/documentOrigin.ts';
import {
  excludedDiscs,
  paintedArea,
  paintedDiscs,
  writtenPlaces,
  type Disc,
  type Stroke,
} from './areaBrush.ts';
import { rounded } from './gizmoEdits.ts';
import { placeOf } from './groundShapes.ts';
import { valueAt } from './sceneOutline.ts';
import { partAt } from './sceneParts.ts';

export type BrushMode = 'add' | 'exclude';

/** Parts with an area that the brush can paint: scatters, stands that have one, landscapes. */
export function canPaint(data: unknown, part: DocumentPath): boolean {
  const kind = partAt(part)?.kind;
  const hasArea = kind === 'scatter' || kind === 'stand' || kind === 'landscape';
  return hasArea && items(field(valueAt(data, part), 'areaM')).length > 2;
}

/** Null: the stroke does not touch the area. */
export function brushEdits(
  data: unknown,
  part: DocumentPath,
  mode: BrushMode,
  stroke: Stroke,
): DocumentEdit[] | null {
  const originM = documentOrigin(data);
  const value = valueAt(data, part);
  const placesIn = (list: unknown[]) =>
    list.map((place) => placeToScene(originM, placeOf(place) ?? [NaN, NaN]));
  const zones = items(field(value, 'keepClear'));
  const known = zones.map((zone): Disc => {
    const [centreM = [NaN, NaN]] = placesIn([field(zone, 'centreM')]);
    return { centreM, radiusM: Number(field(zone, 'radiusM')) };
  });
  const zonePath = [...part, 'keepClear'];
  if (mode === 'exclude') {
    return excludedDiscs(known, stroke).map(({ centreM, radiusM }, index): DocumentEdit => {
      const [written] = writtenPlaces(originM, [centreM]);
      const zone = { centreM: written, radiusM: rounded(radiusM, 2) };
      return { path: [...zonePath, zones.length + index], op: 'insert', value: zone };
    });
  }
  const before = placesIn(items(field(value, 'areaM')));
  const area = paintedArea(before, stroke);
  if (area === null) return null;
  const gone = paintedDiscs(known, stroke).toReversed();
  const path = [...part, 'areaM'];
  return [
    { path, op: 'set', value: writtenPlaces(originM, area) },
    ...gone.map((index): DocumentEdit => ({ path: [...zonePath, index], op: 'remove' })),
  ];
}
