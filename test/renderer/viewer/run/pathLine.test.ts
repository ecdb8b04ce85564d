// The buffers of a line: what changed goes to the graphics card, and nothing else does.
import type { InterleavedBuffer, InterleavedBufferAttribute } from 'three';
import { describe, expect, it } from 'vitest';
import { createPathLine, type PathLine } from '#renderer/viewer/run/pathLine.ts';

const pathOf = (points: number): Float32Array =>
  Float32Array.from({ length: 3 * points }, (_, at) => (at % 3 === 0 ? at / 3 : 0));

function bufferOf({ object }: PathLine, name: string): InterleavedBuffer {
  return (object.geometry.getAttribute(name) as InterleavedBufferAttribute).data;
}

/** As three does when it has uploaded. */
function uploaded(line: PathLine): { start: number; count: number }[] {
  const buffer = bufferOf(line, 'instanceStart');
  const ranges = buffer.updateRanges.map(({ start, count }) => ({ start, count }));
  buffer.clearUpdateRanges();
  return ranges;
}

describe('a line', () => {
  it('uploads the points that were added', () => {
    const line = createPathLine(2, false);
    line.show(pathOf(40), 40, 0);
    expect(uploaded(line)).toEqual([{ start: 0, count: 120 }]);
    line.show(pathOf(41), 41, 40);
    line.show(pathOf(42), 42, 41);
    expect(uploaded(line)).toEqual([
      { start: 120, count: 3 },
      { start: 123, count: 3 },
    ]);
    expect(line.object.geometry.instanceCount).toBe(41);
    line.dispose();
  });

  it('grows by doubling, and takes all points with it', () => {
    const line = createPathLine(2, false);
    let buffers = 0;
    let before: InterleavedBuffer | null = null;
    for (let count = 1; count <= 3000; count += 1) {
      line.show(pathOf(count), count, count - 1);
      const now = bufferOf(line, 'instanceStart');
      if (now !== before) buffers += 1;
      before = now;
    }
    // 256, 512, 1024, 2048, 4096.
    expect(buffers).toBe(5);
    const { array } = bufferOf(line, 'instanceStart');
    expect(Array.from({ length: 3000 }, (_, point) => array[3 * point])).toEqual(
      Array.from({ length: 3000 }, (_, point) => point),
    );
    line.dispose();
  });

  it('measures along itself where it is dashed, and shows nothing of a single point', () => {
    const line = createPathLine(2, true);
    line.show(pathOf(5), 5, 0);
    expect(Array.from(bufferOf(line, 'instanceDistanceEnd').array.slice(0, 5))).toEqual([
      0, 1, 2, 3, 4,
    ]);
    line.show(pathOf(1), 1, 0);
    expect(line.object.visible).toBe(false);
    line.show(pathOf(0), 0, 0);
    expect(line.object.geometry.instanceCount).toBe(0);
    line.dispose();
  });
});
