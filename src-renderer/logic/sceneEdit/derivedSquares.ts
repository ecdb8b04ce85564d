// Squares of a scenario on the ground that follow from several of its fields: the cost map of the mission, and the first
// tile of a landscape. World places.
import { landscapeSchema } from '#contract/documents/landscape.ts';
import { scenarioFields } from '#contract/documents/scenario.ts';
import { mapGeometryOf } from '#contract/documents/scenarioPlaces.ts';
import { field } from '#contract/documents/unknownData.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { valueAt } from './sceneOutline.ts';

export interface Square {
  /** South-west. */
  cornerM: readonly [number, number];
  sideM: number;
}

/** Null: the scenario has no mission, or a wrong one. `cellM`: its side is a whole number of these. */
export function costMapSquare(data: unknown): (Square & { cellM: number }) | null {
  const { mission, navigation } = scenarioFields.shape;
  const ofMission = mission.safeParse(field(data, 'mission')).data;
  const ofNavigation = navigation.safeParse(field(data, 'navigation')).data;
  if (ofMission === undefined || ofNavigation === undefined) return null;
  const { cells, cellM, originM } = mapGeometryOf(ofMission, ofNavigation);
  return { cornerM: originM, sideM: cells * cellM, cellM };
}

/** The square of a landscape in its south-west, where its tiles begin. `path`: of the landscape or of a part of it. */
export function firstTile(data: unknown, path: DocumentPath): Square | null {
  const { areaM, sideM } = landscapeSchema.shape;
  const landscape = valueAt(data, path.slice(0, 3));
  const corners = areaM.safeParse(field(landscape, 'areaM')).data;
  const side = sideM.safeParse(field(landscape, 'sideM')).data;
  if (corners === undefined || side === undefined) return null;
  const low = (axis: 0 | 1): number => Math.min(...corners.map((corner) => corner[axis]));
  return { cornerM: [low(0), low(1)], sideM: side };
}
