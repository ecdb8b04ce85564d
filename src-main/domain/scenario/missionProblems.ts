// Rules between a mission and the rest of its scenario, beyond the schema.
import type { LocatedProblem } from '#contract/documents/problems.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import { mapGeometryOf } from '#domain/autonomy/gridGeometry.ts';

/** Start and goal must lie on the cost map: nothing can be planned to a place outside it. */
export function missionProblems({ mission, navigation }: Scenario): LocatedProblem[] {
  if (mission === undefined) return [];
  const { cells, cellM, originM } = mapGeometryOf(mission, navigation);
  const sizeM = cells * cellM;
  const [west, south] = originM;
  return (['startM', 'goalM'] as const).flatMap((field) => {
    const [xM, yM] = mission[field];
    const isInside = xM >= west && xM < west + sizeM && yM >= south && yM < south + sizeM;
    if (isInside) return [];
    const map = `x ${west} to ${west + sizeM}, y ${south} to ${south + sizeM}`;
    const message = `expected a place on the cost map (${map}), found [${xM}, ${yM}]; see navigation.costMap`;
    return [{ path: ['mission', field], code: 'custom', message }];
  });
}
