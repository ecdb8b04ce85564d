// A grid of metres over a scene's ground, at round numbers of the world, and the positions of these numbers.
import {
  BufferAttribute,
  BufferGeometry,
  type ColorRepresentation,
  LineBasicMaterial,
  LineSegments,
} from 'three';
import { placeToScene, placeToWorld, type OriginM } from '#contract/worldOrigin.ts';
import { gridLines } from '#renderer/logic/plots/gridLines.ts';
import type { LabelText } from './labelLayer.ts';

export interface GroundGrid {
  readonly object: LineSegments;
  /** The numbers along two edges. */
  labels(): LabelText[];
  /** Spans a rectangle, at the height of the ground; all relative to the origin. */
  fit(
    minM: readonly [number, number],
    maxM: readonly [number, number],
    groundM: number,
    originM?: OriginM,
  ): void;
  setColour(colour: ColorRepresentation): void;
  dispose(): void;
}

export interface GridLook {
  /** Above the ground, so that the two surfaces do not flicker; below it where it has no surface of its own. */
  liftM: number;
  /** 1: solid, and drawn before what is transparent. */
  opacity: number;
  /** Between lines; left out: about twenty of them. */
  stepM?: number;
}

/** A grid on the ground whose step follows from the distance of the camera. */
export function createGroundGrid({ liftM, opacity, stepM: givenStepM }: GridLook): GroundGrid {
  const isSolid = opacity === 1;
  const material = new LineBasicMaterial({ transparent: !isSolid, opacity, depthWrite: isSolid });
  const object = new LineSegments(new BufferGeometry(), material);
  object.frustumCulled = false;
  let texts: LabelText[] = [];
  return {
    object,
    labels: () => texts,
    fit(minM, maxM, groundM, originM = [0, 0, 0]) {
      const ends = [placeToWorld(originM, minM), placeToWorld(originM, maxM)] as const;
      const { stepM, xM, yM } = gridLines(...ends, givenStepM);
      const z = groundM + liftM;
      const corner = (x: number, y: number): [number, number, number] => {
        return [...placeToScene(originM, [x, y]), z];
      };
      const [west, east] = [xM.at(0) ?? 0, xM.at(-1) ?? 0];
      const [south, north] = [yM.at(0) ?? 0, yM.at(-1) ?? 0];
      const points = [
        ...xM.flatMap((x) => [...corner(x, south), ...corner(x, north)]),
        ...yM.flatMap((y) => [...corner(west, y), ...corner(east, y)]),
      ];
      object.geometry.dispose();
      object.geometry = new BufferGeometry();
      object.geometry.setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
      const isNumbered = (value: number): boolean => Math.round(value / stepM) % 2 === 0;
      texts = [
        ...xM.filter(isNumbered).map((x) => gridLabel(`x ${x} m`, corner(x, south))),
        ...yM.filter(isNumbered).map((y) => gridLabel(`y ${y} m`, corner(west, y))),
      ];
    },
    setColour(colour) {
      material.color.set(colour);
    },
    dispose() {
      object.geometry.dispose();
      material.dispose();
    },
  };
}

function gridLabel(text: string, positionM: [number, number, number]): LabelText {
  return { text, positionM, kind: 'grid' };
}
