// A scenario with a learned model that a vehicle can drive through.

type PlaceM = readonly [number, number, number];

export interface NewScene {
  title: string;
  /** File of the model, as the scenario names it. */
  file: string;
  /** Coordinate reference system of the scene; null: not stated. */
  crs: string | null;
  /** World position near the site. */
  originM: PlaceM;
  /** Height of the ground at the start, in the world. */
  groundM: number;
  /** Where the sensor of the log was at first and at last, in the world. */
  firstM: PlaceM;
  lastM: PlaceM;
  /** Edge of the ground. */
  groundSizeM: number;
}

/** The text of a scenario with the model, a level ground and a drive along the log. */
export function newSceneText(scene: NewScene): string {
  const { title, file, crs, originM, groundM, firstM, lastM, groundSizeM } = scene;
  const [x, y] = originM.map((value) => Math.round(value)) as [number, number, number];
  const isFar = Math.hypot(x, y) > 1000;
  const groundAt = Math.abs(groundM) < 0.1 ? 0 : Number(groundM.toFixed(2));
  const origin: PlaceM = [isFar ? x : 0, isFar ? y : 0, groundAt];
  const isAtZero = origin.every((value) => value === 0);
  const ground = [
    `sizeM: [${groundSizeM}, ${groundSizeM}]`,
    ...(x === 0 && y === 0 ? [] : [`centreM: [${x}, ${y}]`]),
    ...(groundAt === 0 ? [] : [`zM: ${groundAt}`]),
  ].join(', ');
  const [startM, goalM] = missionOf(firstM, lastM);
  const yawDeg = (Math.atan2(goalM[1] - startM[1], goalM[0] - startM[0]) * 180) / Math.PI;
  return [
    'understory: 2',
    `name: ${JSON.stringify(title)}`,
    'scene:',
    ...(isAtZero ? [] : [`  origin: [${origin.join(', ')}]`]),
    ...(crs === null ? [] : [`  crs: ${JSON.stringify(crs)}`]),
    "  materials: { soil: { reflectance: 0.25, colour: '#6e5a41' } }",
    '  models:',
    `    site: { kind: learned, file: ${JSON.stringify(file)}, material: soil }`,
    `  ground: { kind: plane, ${ground}, material: soil }`,
    '  instances: [{ name: site, model: site, positionM: [0, 0, 0], onGround: false }]',
    'sensors: [{ name: lidar, sensor: vlp-16, mount: { positionM: [0, 0, 2] } }]',
    'mission:',
    `  startM: [${startM.map(short).join(', ')}]`,
    `  startYawDeg: ${short(yawDeg)}`,
    `  goalM: [${goalM.map(short).join(', ')}]`,
    '',
  ].join('\n');
}

/** Shorter drives arrive at once. */
const minDriveM = 6;

/** From the first place to the last; where these are the same place, ahead. */
function missionOf(firstM: PlaceM, lastM: PlaceM): [[number, number], [number, number]] {
  const lengthM = Math.hypot(lastM[0] - firstM[0], lastM[1] - firstM[1]);
  const start: [number, number] = [firstM[0], firstM[1]];
  if (lengthM >= minDriveM) return [start, [lastM[0], lastM[1]]];
  const ahead = lengthM < 0.1 ? [1, 0] : [lastM[0] - firstM[0], lastM[1] - firstM[1]];
  const scale = minDriveM / Math.hypot(ahead[0] ?? 1, ahead[1] ?? 0);
  return [start, [start[0] + scale * (ahead[0] ?? 1), start[1] + scale * (ahead[1] ?? 0)]];
}

/**
 * The height below a place: the lowest returns near it, but for one in ten; null: there are none. Why 12 m: a sensor 2 m
 * above the ground that looks down by 15° meets it from 7.5 m on, and nearer than that its vehicle.
 */
export function groundBelow(
  clouds: readonly Float32Array[],
  [x, y]: readonly [number, number],
  withinM = 12,
): number | null {
  const heights: number[] = [];
  for (const positionsM of clouds) {
    for (let at = 0; at + 2 < positionsM.length; at += 3) {
      const aside = Math.hypot((positionsM[at] ?? 0) - x, (positionsM[at + 1] ?? 0) - y);
      if (aside < withinM) heights.push(positionsM[at + 2] ?? 0);
    }
  }
  heights.sort((a, b) => a - b);
  return heights[Math.floor(0.1 * heights.length)] ?? null;
}

function short(value: number): string {
  return String(Number(value.toFixed(2)));
}
