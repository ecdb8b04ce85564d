// The points on screen: a ring of fixed capacity on the graphics card. Each scan overwrites the oldest
// points and uploads only itself; colours are looked up there, so that changing them costs nothing.
import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DynamicDrawUsage,
  LinearFilter,
  NearestFilter,
  NoBlending,
  Points,
  ShaderMaterial,
  Vector2,
} from 'three';
import { classPixels, scalePixels, type ScaleName } from '#renderer/logic/colours/colourMaps.ts';
import type { PointColumns } from '#renderer/logic/cloud/pointColumns.ts';
import { ringSpans, type RingSpan } from '#renderer/logic/cloud/ring.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';

const colourings = [
  ...(['height', 'intensity', 'class', 'range', 'ring', 'return', 'error'] as const),
] as const;
export type ColourBy = (typeof colourings)[number];

export interface PointCloud {
  readonly object: Points;
  add(points: PointColumns): void;
  clear(): void;
  /** `range` is that of the scale; a class has none. */
  colour(by: ColourBy, scale: ScaleName, range: ValueRange): void;
  /** Device pixels for each CSS pixel: points keep their size on fine screens. */
  setPixelRatio(ratio: number): void;
  dispose(): void;
}

const scaleSize = 256;
const classCount = 64;

/** `capacity`: most points on screen; 32 bytes of memory each, twice. */
export function createPointCloud(capacity: number): PointCloud {
  const position = dynamic(new BufferAttribute(new Float32Array(3 * capacity), 3));
  /** Intensity, range, error of the range. */
  const measured = dynamic(new BufferAttribute(new Float32Array(3 * capacity), 3));
  /** Class, ring, number of the return, and one to fill up: graphics cards want whole words. */
  const codes = dynamic(new BufferAttribute(new Uint16Array(4 * capacity), 4));
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', position);
  geometry.setAttribute('measured', measured);
  geometry.setAttribute('codes', codes);
  geometry.setDrawRange(0, 0);
  const scales: Record<ScaleName, DataTexture> = {
    viridis: textureOf(scalePixels('viridis', scaleSize), true),
    turbo: textureOf(scalePixels('turbo', scaleSize), true),
  };
  const classes = textureOf(classPixels(classCount), false);
  const uniforms = {
    colourBy: { value: 0 },
    range: { value: new Vector2(0, 1) },
    scale: { value: scales.viridis },
    classes: { value: classes },
    pixelRatio: { value: 1 },
  };
  const material = new ShaderMaterial({ uniforms, vertexShader, fragmentShader });
  // Why: three draws what is transparent last, the cost map among it; points belong on top of the map.
  material.transparent = true;
  material.blending = NoBlending;
  const object = new Points(geometry, material);
  // Why: the bounds change with every scan, and the cloud is nearly always in sight.
  object.frustumCulled = false;
  let cursor = 0;
  let count = 0;

  return {
    object,
    add(points) {
      const rows = points.xM.length;
      const entering = ringSpans(cursor, rows, capacity);
      for (const { source, target, count: length } of entering.spans) {
        const { xM, yM, zM, intensity, rangeM, rangeErrorM, classId, ring, returnNo } = points;
        const span = { source, target, count: length };
        interleave([xM, yM, zM], span, position);
        interleave([intensity, rangeM, rangeErrorM], span, measured);
        interleave([classId, ring, returnNo], span, codes);
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
    colour(by, scale, [from, to]) {
      uniforms.colourBy.value = colourings.indexOf(by);
      uniforms.scale.value = scales[scale];
      uniforms.range.value.set(from, to);
    },
    setPixelRatio(ratio) {
      uniforms.pixelRatio.value = ratio;
    },
    dispose() {
      geometry.dispose();
      material.dispose();
      for (const texture of [...Object.values(scales), classes]) texture.dispose();
    },
  };
}

// Points shrink with distance between these sizes, in CSS pixels.
const vertexShader = `
attribute vec3 measured;
attribute vec4 codes;
uniform int colourBy;
uniform vec2 range;
uniform sampler2D scale;
uniform sampler2D classes;
uniform float pixelRatio;
varying vec3 pointColour;
void main() {
  vec4 inView = modelViewMatrix * vec4(position, 1.0);
  gl_Position = projectionMatrix * inView;
  gl_PointSize = pixelRatio * clamp(70.0 / max(-inView.z, 0.1), 1.4, 4.0);
  float value = colourBy == 0 ? position.z
    : colourBy == 1 ? measured.x
    : colourBy == 3 ? measured.y
    : colourBy == 4 ? codes.y
    : colourBy == 5 ? codes.z
    : measured.z;
  float share = clamp((value - range.x) / max(range.y - range.x, 1e-6), 0.0, 1.0);
  pointColour = colourBy == 2
    ? texture2D(classes, vec2((mod(codes.x, ${classCount}.0) + 0.5) / ${classCount}.0, 0.5)).rgb
    : texture2D(scale, vec2(share * ${scaleSize - 1}.0 / ${scaleSize}.0 + 0.5 / ${scaleSize}.0, 0.5)).rgb;
}`;

const fragmentShader = `
varying vec3 pointColour;
void main() {
  gl_FragColor = vec4(pointColour, 1.0);
}`;

function dynamic(attribute: BufferAttribute): BufferAttribute {
  return attribute.setUsage(DynamicDrawUsage);
}

function textureOf(pixels: Uint8Array<ArrayBuffer>, isSmooth: boolean): DataTexture {
  const texture = new DataTexture(pixels, pixels.length / 4, 1);
  texture.magFilter = isSmooth ? LinearFilter : NearestFilter;
  texture.minFilter = texture.magFilter;
  texture.needsUpdate = true;
  return texture;
}

function interleave(
  columns: readonly (Float32Array | Uint16Array | Uint8Array)[],
  { source, target, count }: RingSpan,
  { array: into, itemSize }: BufferAttribute,
): void {
  for (const [item, column] of columns.entries()) {
    let at = itemSize * target + item;
    for (let row = source; row < source + count; row += 1) {
      into[at] = column[row] ?? 0;
      at += itemSize;
    }
  }
}
