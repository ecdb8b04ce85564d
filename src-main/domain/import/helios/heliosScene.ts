// Scene files of HELIOS++: parts with mesh loaders and their turns, scales and shifts. A part is turned first, then
// scaled, then shifted, in whatever order its filters stand (scene/ScenePart of HELIOS++).
import { radians } from '#domain/shared/numbers.ts';
import { stemOf, type ForeignMeshes } from '../foreignMeshes.ts';
import {
  identity3,
  multiply3,
  rotation3,
  scale3,
  zUpFromYUp,
  type Matrix3,
} from '../geometry/placement.ts';
import type { Tally } from '../importedScene.ts';
import { childrenOf, numberOf, type XmlElement } from './xml.ts';

/** Adds the parts of a scene. Returns what is wrong with a part, by its number from 1; null: nothing. */
export async function addHeliosParts(
  scene: XmlElement,
  meshes: ForeignMeshes,
  ignored: Tally,
): Promise<string | null> {
  let number = 0;
  for (const part of childrenOf(scene, 'part')) {
    number += 1;
    const filters = childrenOf(part, 'filter');
    const loader = filters.find(({ attributes }) => attributes['type']?.endsWith('loader'));
    const kind = loader?.attributes['type'];
    if (loader === undefined || kind !== 'objloader') {
      ignored.add(`parts by ${kind ?? 'no loader'}`);
      continue;
    }
    const mesh = parameterOf(loader, 'filepath');
    if (mesh === null) return `part ${number}: expected a filepath of its objloader, found none`;
    if (!/\.obj$/i.test(mesh)) return `part ${number}: expected an OBJ, found '${mesh}'`;
    const placed = placementOf(filters, ignored);
    if (typeof placed === 'string') return `part ${number}: ${placed}`;
    const upright = parameterOf(loader, 'up') === 'y' ? zUpFromYUp : identity3;
    await meshes.place({ ...placed, mesh, name: stemOf(mesh), onGround: false }, upright);
  }
  return null;
}

/** The value of a parameter of a filter; null: it has none. */
function parameterOf(filter: XmlElement, key: string): string | null {
  const found = childrenOf(filter, 'param').find(({ attributes }) => attributes['key'] === key);
  return found?.attributes['value'] ?? null;
}

function placementOf(
  filters: readonly XmlElement[],
  ignored: Tally,
): { linear: Matrix3; positionM: [number, number, number] } | string {
  let turn = identity3;
  let scale = 1;
  let positionM: [number, number, number] = [0, 0, 0];
  for (const filter of filters) {
    const type = filter.attributes['type'] ?? '';
    if (type === 'rotate') {
      const found = rotationOf(filter);
      if (typeof found === 'string') return found;
      turn = multiply3(found, turn);
    } else if (type === 'scale') {
      scale = Number(parameterOf(filter, 'scale') ?? NaN);
      if (!(scale > 0)) return 'expected a scale above 0';
    } else if (type === 'translate') {
      const [x = NaN, y = NaN, z = NaN] = (parameterOf(filter, 'offset') ?? '')
        .split(';')
        .map(Number);
      if (!Number.isFinite(x + y + z)) return 'expected an offset of three numbers (x;y;z)';
      positionM = [x, y, z];
      if (parameterOf(filter, 'onGround') !== null) ignored.add("'onGround' of parts");
    } else if (!type.endsWith('loader')) {
      ignored.add(`filters '${type}'`);
    }
  }
  return { linear: multiply3(scale3(scale), turn), positionM };
}

/** Turns about fixed axes one after another, or, with the local convention, about those of the part. */
function rotationOf(filter: XmlElement): Matrix3 | string {
  const parameter = childrenOf(filter, 'param').find(
    ({ attributes }) => attributes['type'] === 'rotation',
  );
  if (!parameter) return 'expected a rotation of its filter rotate, found none';
  const isLocal = parameter.attributes['rotations'] === 'local';
  let turn = identity3;
  for (const rot of childrenOf(parameter, 'rot')) {
    const axis = rot.attributes['axis']?.toLowerCase();
    const angleDeg = numberOf(rot, 'angle_deg');
    if (
      (axis !== 'x' && axis !== 'y' && axis !== 'z') ||
      angleDeg === null ||
      !Number.isFinite(angleDeg)
    ) {
      return 'expected an axis x, y or z and an angle_deg of each rot';
    }
    const next = rotation3(axis, radians(angleDeg));
    turn = isLocal ? multiply3(turn, next) : multiply3(next, turn);
  }
  return turn;
}
