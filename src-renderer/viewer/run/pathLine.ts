// A line of constant width on screen: the planned path, the driven path. Its buffers grow by doubling, and only
// what changed is uploaded.
import { InstancedInterleavedBuffer, InterleavedBufferAttribute, Sphere } from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';

export interface PathLine {
  readonly object: Line2;
  /**
   * The first `count` points of x, y, z in turn; fewer than two show nothing. `from`: those before are as they
   * were shown last.
   */
  show(xyzM: Float32Array, count: number, from: number): void;
  setColour(colour: string): void;
  dispose(): void;
}

const firstCapacity = 256;

/** `isDashed`: what is meant to come, rather than what was. */
export function createPathLine(widthPx: number, isDashed: boolean): PathLine {
  const material = new LineMaterial({ linewidth: widthPx, dashed: isDashed });
  material.dashSize = 0.9;
  material.gapSize = 0.5;
  let strip = createStrip(firstCapacity, isDashed);
  const object = new Line2(strip.geometry, material);
  object.frustumCulled = false;
  object.visible = false;

  return {
    object,
    show(xyzM, count, from) {
      object.visible = count >= 2;
      let unchanged = from;
      if (count > strip.capacity) {
        strip.geometry.dispose();
        strip = createStrip(2 ** Math.ceil(Math.log2(count)), isDashed);
        object.geometry = strip.geometry;
        unchanged = 0;
      }
      strip.write(xyzM, count, unchanged);
    },
    setColour(colour) {
      material.color.set(colour);
    },
    dispose() {
      strip.geometry.dispose();
      material.dispose();
    },
  };
}

interface Strip {
  readonly geometry: LineGeometry;
  readonly capacity: number;
  write(xyzM: Float32Array, count: number, from: number): void;
}

/** Points one after another: the segment n goes from point n to the one after it, in the same buffer. */
function createStrip(capacity: number, isDashed: boolean): Strip {
  const geometry = new LineGeometry();
  const places = new InstancedInterleavedBuffer(new Float32Array(3 * capacity), 3);
  const alongM = new InstancedInterleavedBuffer(new Float32Array(isDashed ? capacity : 2), 1);
  geometry.setAttribute('instanceStart', new InterleavedBufferAttribute(places, 3, 0));
  geometry.setAttribute('instanceEnd', new InterleavedBufferAttribute(places, 3, 3));
  if (isDashed) {
    geometry.setAttribute('instanceDistanceStart', new InterleavedBufferAttribute(alongM, 1, 0));
    geometry.setAttribute('instanceDistanceEnd', new InterleavedBufferAttribute(alongM, 1, 1));
  }
  // Why: three would measure it again, and nothing here is sorted or left out by it.
  geometry.boundingSphere = new Sphere();
  geometry.instanceCount = 0;

  return {
    geometry,
    capacity,
    write(xyzM, count, from) {
      geometry.instanceCount = Math.max(0, count - 1);
      if (count <= from) return;
      places.array.set(xyzM.subarray(3 * from, 3 * count), 3 * from);
      changed(places, 3 * from, 3 * count);
      if (!isDashed) return;
      for (let point = Math.max(from, 1); point < count; point += 1) {
        const [a, b] = [3 * (point - 1), 3 * point];
        const stepM = Math.hypot(
          (xyzM[b] ?? 0) - (xyzM[a] ?? 0),
          (xyzM[b + 1] ?? 0) - (xyzM[a + 1] ?? 0),
          (xyzM[b + 2] ?? 0) - (xyzM[a + 2] ?? 0),
        );
        alongM.array[point] = (alongM.array[point - 1] ?? 0) + stepM;
      }
      changed(alongM, from, count);
    },
  };
}

function changed(buffer: InstancedInterleavedBuffer, from: number, to: number): void {
  buffer.addUpdateRange(from, to - from);
  buffer.needsUpdate = true;
}
