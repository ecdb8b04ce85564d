// The way of a motion as a line, and its keyframes as dots; drawn through what is before them.
import { BufferAttribute, BufferGeometry, Color, Group, Points, PointsMaterial } from 'three';
import type { MotionWay } from '#renderer/logic/scene/motionWay.ts';
import { createPathLine } from '../run/pathLine.ts';

export interface MotionMarks {
  readonly object: Group;
  /** Null: nothing is shown. `chosen`: index of a keyframe. */
  show: (way: MotionWay | null, chosen: number | null) => void;
  setColours: (colours: { way: string; keyframe: string; chosen: string }) => void;
  dispose: () => void;
}

/** Above roads and grass. */
const liftM = 0.1;
const dotPx = 11;

export function createMotionMarks(): MotionMarks {
  const object = new Group();
  const line = createPathLine(3, false);
  line.object.material.depthTest = false;
  line.object.renderOrder = 881;
  const material = new PointsMaterial({
    size: dotPx,
    sizeAttenuation: false,
    vertexColors: true,
    depthTest: false,
    transparent: true,
  });
  const dots = new Points(new BufferGeometry(), material);
  dots.frustumCulled = false;
  dots.renderOrder = 882;
  object.add(line.object, dots);
  const colours = { keyframe: new Color(), chosen: new Color() };
  let shown: { way: MotionWay | null; chosen: number | null } = { way: null, chosen: null };

  return {
    object,
    show(way, chosen) {
      shown = { way, chosen };
      const points = new Float32Array(lifted(way?.pointsM ?? []));
      line.show(points, points.length / 3, 0);
      showDots();
    },
    setColours({ way, keyframe, chosen }) {
      line.setColour(way);
      colours.keyframe.set(keyframe);
      colours.chosen.set(chosen);
      showDots();
    },
    dispose() {
      line.dispose();
      dots.geometry.dispose();
      material.dispose();
    },
  };

  function showDots(): void {
    const places = shown.way?.keyframesM ?? [];
    dots.visible = places.length > 0;
    dots.geometry.dispose();
    dots.geometry = new BufferGeometry();
    const colour = places.flatMap((_, index) =>
      (index === shown.chosen ? colours.chosen : colours.keyframe).toArray(),
    );
    dots.geometry.setAttribute(
      'position',
      new BufferAttribute(new Float32Array(lifted(places)), 3),
    );
    dots.geometry.setAttribute('color', new BufferAttribute(new Float32Array(colour), 3));
  }
}

function lifted(places: readonly (readonly [number, number, number])[]): number[] {
  return places.flatMap(([x, y, z]) => [x, y, z + liftM]);
}
