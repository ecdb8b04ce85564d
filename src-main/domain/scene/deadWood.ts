// Logs that lie on the ground: cylinders of a few sizes, at random places and in random directions.
import { formatPath, type Problem } from '#contract/documents/problems.ts';
import type { Stand } from '#contract/documents/stand.ts';
import { purposes, uniforms } from '#domain/random/philox.ts';
import type { StandTarget, TiledStand } from './standTarget.ts';
import { isInZone, maxStandTrees, polygonOf } from './standTrees.ts';

type DeadWood = Extract<Stand, { kind: 'dead-wood' }>;

/** Logs of a stand have one of so many sizes: each is a model. */
const sizes = 12;
const sides = 16;
/** Places that are tried for each log, in the bounding box of the area. */
const maxTries = 2e6;

/** Adds the logs of a stand, level, each touching the ground at the place of its foot. */
export function addDeadWood(
  { stand, at, stream, seed, trunks: tiles }: TiledStand & { stand: DeadWood },
  target: StandTarget,
): Problem[] {
  const { name, class: className, areaM, logsPerHa, lengthM, diameterM, material } = stand;
  const area = polygonOf(areaM);
  const problem = (field: string, message: string): Problem[] => [
    { path: formatPath([...at, field]), code: 'custom', message },
  ];
  if (area.areaM2 <= 0) return problem('areaM', 'expected a polygon with an area');
  const count = Math.round((logsPerHa * area.areaM2) / 10_000);
  if (count > maxStandTrees) {
    return problem('logsPerHa', `expected at most ${maxStandTrees} logs, found ${count}`);
  }
  const models = Array.from({ length: count === 0 ? 0 : sizes }, (_, n) => {
    const [ofLength, ofDiameter] = uniforms(seed, purposes.standSizes, stream, n);
    const radiusM = (diameterM[0] + (diameterM[1] - diameterM[0]) * ofDiameter) / 2;
    const heightM = lengthM[0] + (lengthM[1] - lengthM[0]) * ofLength;
    const source = { kind: 'cylinder', radiusM, heightM, sides, caps: true } as const;
    const made = { ...source, material: target.materialOfScene(material) };
    return { model: target.model(`${name}:log-${n + 1}`, made, 'all'), radiusM, heightM };
  });
  for (const tile of tiles.keys()) {
    let drawn = 0;
    for (let n = 0; drawn < count && n < maxTries; n += 1) {
      const [u, v, ofYaw, ofModel] = uniforms(seed, purposes.standPlaces, stream + tile, n);
      const x = area.min[0] + (area.max[0] - area.min[0]) * u;
      const y = area.min[1] + (area.max[1] - area.min[1]) * v;
      const log = models[Math.floor(ofModel * sizes)];
      if (log === undefined || !area.contains([x, y])) continue;
      drawn += 1;
      if (isInZone(stand.keepClear, [x, y])) continue;
      const yawRad = 2 * Math.PI * ofYaw;
      // The axis of the model is vertical; the middle of the log is at the place.
      const half = log.heightM / 2;
      target.instance(
        {
          name: `${name}-${drawn}`,
          class: className,
          model: log.model,
          positionM: [x - half * Math.cos(yawRad), y - half * Math.sin(yawRad), log.radiusM],
          yawDeg: 360 * ofYaw,
          pitchDeg: 90,
          scale: 1,
        },
        tile,
      );
    }
  }
  return [];
}
