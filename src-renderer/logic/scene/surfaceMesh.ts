// A model's triangles made ready for drawing: a normal and one material for each vertex. Where faces meet at
// a sharp edge, or materials meet, the vertex is there twice.
import { clamp } from '#domain/shared/numbers.ts';

export interface ModelTriangles {
  /** x, y, z of each vertex, in the model's frame. */
  positionM: Float32Array;
  /** Three vertices a triangle. */
  index: Uint32Array;
  /** One a triangle. */
  material: Uint16Array;
}

export interface SurfaceMesh {
  positionM: Float32Array;
  /** x, y, z and a filler of each vertex, 127 being 1. */
  normal: Int8Array;
  material: Uint16Array;
  index: Uint32Array;
  /** Area of each material, by its number. */
  areaM2: Float64Array;
}

/** cos 40°: faces that turn more than this from their vertex's mean normal keep their own. */
const sharpCosine = 0.77;

/** Triangles keep their order; those that are not of this mesh's vertices are a bug of the sender. */
export function surfaceMesh({ positionM, index, material }: ModelTriangles): SurfaceMesh {
  const triangles = index.length / 3;
  const faces = new Float32Array(3 * triangles);
  const mean = new Float32Array(positionM.length);
  const areaM2 = new Float64Array(material.reduce((most, one) => Math.max(most, one), 0) + 1);
  for (let triangle = 0; triangle < triangles; triangle += 1) {
    const twiceArea = writeFace(positionM, index, triangle, faces);
    const of = material[triangle] ?? 0;
    areaM2[of] = at(areaM2, of) + twiceArea / 2;
    for (let corner = 0; corner < 3; corner += 1) {
      const vertex = at(index, 3 * triangle + corner);
      const weight = cornerRad(positionM, index, triangle, corner);
      for (let axis = 0; axis < 3; axis += 1) {
        mean[3 * vertex + axis] =
          at(mean, 3 * vertex + axis) + weight * at(faces, 3 * triangle + axis);
      }
    }
  }
  return { ...split(positionM, index, material, faces, mean), areaM2 };
}

function split(
  positionM: Float32Array,
  index: Uint32Array,
  material: Uint16Array,
  faces: Float32Array,
  mean: Float32Array,
): Omit<SurfaceMesh, 'areaM2'> {
  const corners = index.length;
  const outIndex = new Uint32Array(corners);
  const source = new Uint32Array(corners);
  const normal = new Int8Array(4 * corners);
  const outMaterial = new Uint16Array(corners);
  /** The smooth vertex made of each vertex, + 1; and the one before it of another material, + 1. */
  const smooth = new Uint32Array(positionM.length / 3);
  const earlier = new Uint32Array(corners);
  let count = 0;
  for (let corner = 0; corner < corners; corner += 1) {
    const triangle = Math.floor(corner / 3);
    const vertex = at(index, corner);
    const of = at(material, triangle);
    const length = Math.hypot(
      at(mean, 3 * vertex),
      at(mean, 3 * vertex + 1),
      at(mean, 3 * vertex + 2),
    );
    let cosine = 0;
    for (let axis = 0; axis < 3; axis += 1) {
      cosine += at(mean, 3 * vertex + axis) * at(faces, 3 * triangle + axis);
    }
    const isSmooth = length > 0 && cosine >= sharpCosine * length;
    let found = isSmooth ? at(smooth, vertex) : 0;
    while (found > 0 && at(outMaterial, found - 1) !== of) found = at(earlier, found - 1);
    if (found === 0) {
      source[count] = vertex;
      outMaterial[count] = of;
      for (let axis = 0; axis < 3; axis += 1) {
        const value = isSmooth
          ? at(mean, 3 * vertex + axis) / length
          : at(faces, 3 * triangle + axis);
        normal[4 * count + axis] = Math.round(127 * value);
      }
      if (isSmooth) {
        earlier[count] = at(smooth, vertex);
        smooth[vertex] = count + 1;
      }
      count += 1;
      found = count;
    }
    outIndex[corner] = found - 1;
  }
  const outPositionM = new Float32Array(3 * count);
  for (let vertex = 0; vertex < count; vertex += 1) {
    for (let axis = 0; axis < 3; axis += 1) {
      outPositionM[3 * vertex + axis] = at(positionM, 3 * at(source, vertex) + axis);
    }
  }
  return {
    positionM: outPositionM,
    normal: normal.slice(0, 4 * count),
    material: outMaterial.slice(0, count),
    index: outIndex,
  };
}

/** Writes the unit normal of a triangle; returns twice its area. */
function writeFace(
  positionM: Float32Array,
  index: Uint32Array,
  triangle: number,
  into: Float32Array,
): number {
  const a = 3 * at(index, 3 * triangle);
  const b = 3 * at(index, 3 * triangle + 1);
  const c = 3 * at(index, 3 * triangle + 2);
  const ux = at(positionM, b) - at(positionM, a);
  const uy = at(positionM, b + 1) - at(positionM, a + 1);
  const uz = at(positionM, b + 2) - at(positionM, a + 2);
  const vx = at(positionM, c) - at(positionM, a);
  const vy = at(positionM, c + 1) - at(positionM, a + 1);
  const vz = at(positionM, c + 2) - at(positionM, a + 2);
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const length = Math.hypot(x, y, z);
  const inverse = length > 0 ? 1 / length : 0;
  into[3 * triangle] = x * inverse;
  into[3 * triangle + 1] = y * inverse;
  into[3 * triangle + 2] = z * inverse;
  return length;
}

/** Why by angle, not by area: the mean must not depend on how a face is cut into triangles. */
function cornerRad(
  positionM: Float32Array,
  index: Uint32Array,
  triangle: number,
  corner: number,
): number {
  const here = 3 * at(index, 3 * triangle + corner);
  const next = 3 * at(index, 3 * triangle + ((corner + 1) % 3));
  const last = 3 * at(index, 3 * triangle + ((corner + 2) % 3));
  let dot = 0;
  let nextSquared = 0;
  let lastSquared = 0;
  for (let axis = 0; axis < 3; axis += 1) {
    const u = at(positionM, next + axis) - at(positionM, here + axis);
    const v = at(positionM, last + axis) - at(positionM, here + axis);
    dot += u * v;
    nextSquared += u * u;
    lastSquared += v * v;
  }
  const lengths = Math.sqrt(nextSquared * lastSquared);
  return lengths > 0 ? Math.acos(clamp(dot / lengths, -1, 1)) : 0;
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}
