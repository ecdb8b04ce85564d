// Bodies that begin inside other things.
import type { Vector3 } from '#domain/shared/pose.ts';
import { heightFieldTerrain } from '#domain/truth/terrain.ts';
import type { Piece } from './colliders.ts';
import type { PlacedShape } from './physicsScene.ts';

/** A body may begin that share of its smallest extent deep in another thing: legs on a slope, wheels on uneven ground. */
const maxDepthShare = 0.1;

/** A body that begins inside another thing. */
export interface Overlap {
  body: string;
  /** Instances. */
  part: string;
  other: string;
  depthM: number;
}

/** One overlap at most for each body, with another body or one of `others`. Before the first step of the engine. */
export function overlapsOf(
  bodies: readonly { name: string; pieces: readonly Piece[] }[],
  others: readonly Piece[],
): Overlap[] {
  return bodies.flatMap(({ name, pieces }, index) => {
    const besides = bodies.flatMap((body, at) => (at === index ? [] : body.pieces));
    const found = firstOverlap(pieces, [...others, ...besides]);
    return found === null ? [] : [{ body: name, ...found }];
  });
}

/** The first other that a body is too deep in. */
function firstOverlap(
  own: readonly Piece[],
  others: readonly Piece[],
): Omit<Overlap, 'body'> | null {
  for (const piece of own) {
    const extents = piece.maxM.map((m, axis) => m - (piece.minM[axis] ?? 0));
    const allowedM = maxDepthShare * Math.min(...extents);
    for (const other of others) {
      if (!boxesMeet(piece, other)) continue;
      const depthM = depthIn(piece, other);
      if (depthM > allowedM) return { part: piece.name, other: other.name, depthM };
    }
  }
  return null;
}

function depthIn(piece: Piece, other: Piece): number {
  const contact = piece.collider.contactCollider(other.collider, 0);
  if (contact !== null || other.shape.kind !== 'heights') return -(contact?.distance ?? 0);
  // Why: below the ground there is nothing to be in contact with.
  const [x, y, z] = middle(piece);
  const [atX, atY, atZ] = other.pose.positionM;
  return heightFieldTerrain(other.shape.field).heightM(x - atX, y - atY) + atZ - z;
}

function middle({ minM, maxM }: PlacedShape): Vector3 {
  return minM.map((m, axis) => (m + (maxM[axis] ?? 0)) / 2) as Vector3;
}

function boxesMeet(a: PlacedShape, b: PlacedShape): boolean {
  return [0, 1, 2].every((axis) => {
    const [fromA = 0, toA = 0] = [a.minM[axis], a.maxM[axis]];
    return fromA <= (b.maxM[axis] ?? 0) && toA >= (b.minM[axis] ?? 0);
  });
}
