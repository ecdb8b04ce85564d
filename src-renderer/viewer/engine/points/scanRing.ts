// The points on screen: a ring of fixed capacity on the graphics card. Each scan overwrites the oldest
// points and uploads only itself; colours are looked up there, so that changing them costs nothing.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Points, Sphere } from 'three';
import type { ScaleName } from '#domain/shared/colours.ts';
import { pointColourings, type PointColouring } from '#renderer/logic/colours/colouring.ts';
import type { PointColumns } from '#renderer/logic/cloud/pointColumns.ts';
import { ringSpans, type RingSpan } from '#renderer/logic/cloud/ring.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';
import type { ViewClip } from '../clip/clipUniforms.ts';
import { colourLookUp } from '../colourTextures.ts';
import { createPointColours } from './pointColours.ts';
import { createPointMaterial } from './pointMaterial.ts';

export interface ScanRing {
  readonly object: Points;
  add(points: PointColumns): void;
  clear(): void;
  /** `range` is that of the scale; a class has none. */
  colour(by: PointColouring, scale: ScaleName, range: ValueRange): void;
  /** Those that are there: x y z after one another. */
  positionsM(): Float32Array;
  dispose(): void;
}

/** `capacity`: most points on screen; 32 bytes of memory each, twice. */
export function createScanRing(capacity: number, clip: ViewClip): ScanRing {
  const positions = new Float32Array(3 * capacity);
  /** Intensity, range, error of the range. */
  const measures = new Float32Array(3 * capacity);
  /** Class, ring, number of the return, and sensor. */
  const codeWords = new Uint16Array(4 * capacity);
  const position = dynamic(new BufferAttribute(positions, 3));
  const measured = dynamic(new BufferAttribute(measures, 3));
  const codes = dynamic(new BufferAttribute(codeWords, 4));
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', position);
  geometry.setAttribute('measured', measured);
  geometry.setAttribute('codes', codes);
  geometry.setDrawRange(0, 0);
  const colours = createPointColours(pointColourings);
  const material = createPointMaterial({
    uniforms: colours.uniforms,
    declarations,
    colour,
    sizePx: { atOneM: 70, min: 1.4, max: 4 },
    liftM: 0.15,
    clip,
  });
  const object = new Points(geometry, material);
  // Why at once: three would measure a million points that are not there yet.
  geometry.boundingSphere = new Sphere();
  // Why: the bounds change with every scan, and the cloud is nearly always visible.
  object.frustumCulled = false;
  let cursor = 0;
  let count = 0;

  return {
    object,
    add(points) {
      const rows = points.xM.length;
      const entering = ringSpans(cursor, rows, capacity);
      const { xM, yM, zM, intensity, rangeM, rangeErrorM } = points;
      for (const span of entering.spans) {
        const { target, count: length } = span;
        interleaveReals(xM, yM, zM, span, positions);
        interleaveReals(intensity, rangeM, rangeErrorM, span, measures);
        interleaveCodes(points, span, codeWords);
        for (const attribute of [position, measured, codes]) {
          attribute.addUpdateRange(target * attribute.itemSize, length * attribute.itemSize);
          attribute.needsUpdate = true;
        }
      }
      cursor = entering.cursor;
      count = Math.min(count + rows, capacity);
      geometry.setDrawRange(0, count);
    },
    clear() {
      cursor = 0;
      count = 0;
      geometry.setDrawRange(0, 0);
    },
    colour: colours.set,
    positionsM: () => positions.subarray(0, 3 * count),
    dispose() {
      geometry.dispose();
      material.dispose();
      colours.dispose();
    },
  };
}

const declarations = `
attribute vec3 measured;
attribute vec4 codes;
uniform int colourBy;
${colourLookUp}`;

const colour = `
  float value = colourBy == 0 ? position.z
    : colourBy == 1 ? measured.x
    : colourBy == 3 ? measured.y
    : colourBy == 4 ? codes.y
    : colourBy == 5 ? codes.z
    : measured.z;
  pointColour = colourBy == 2 ? classColour(codes.x)
    : colourBy == 7 ? classColour(codes.w)
    : scaleColour(value);`;

function dynamic(attribute: BufferAttribute): BufferAttribute {
  return attribute.setUsage(DynamicDrawUsage);
}

// Why two, each with arrays of its own types only, and all columns at once: one function for all took four times as
// long, and this is most of what a view costs.
function interleaveReals(
  a: Float32Array,
  b: Float32Array,
  c: Float32Array,
  { source, target, count }: RingSpan,
  into: Float32Array,
): void {
  let at = 3 * target;
  for (let row = source; row < source + count; row += 1) {
    into[at] = a[row] ?? 0;
    into[at + 1] = b[row] ?? 0;
    into[at + 2] = c[row] ?? 0;
    at += 3;
  }
}

function interleaveCodes(
  { classId, ring, returnNo, sensor }: PointColumns,
  { source, target, count }: RingSpan,
  into: Uint16Array,
): void {
  let at = 4 * target;
  for (let row = source; row < source + count; row += 1) {
    into[at] = classId[row] ?? 0;
    into[at + 1] = ring[row] ?? 0;
    into[at + 2] = returnNo[row] ?? 0;
    into[at + 3] = sensor[row] ?? 0;
    at += 4;
  }
}
