// The box that a view is clipped to, drawn over it: its edges, and a handle in the middle of each face.
import {
  BufferAttribute,
  BufferGeometry,
  type Camera,
  type ColorRepresentation,
  Group,
  Points,
  PointsMaterial,
} from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import { clipFaces, faceCentre, type ClipFace } from '#renderer/logic/cloud/clipBox.ts';
import type { UprightBox } from '#domain/shared/uprightBox.ts';
import { pixelOf } from '../camera/viewSpace.ts';
import { worldFromClip } from './clipUniforms.ts';

export interface ClipHandles {
  readonly object: Group;
  /** `held`: the face that is dragged or under the pointer. */
  show: (box: UprightBox | null, held: ClipFace | null) => void;
  setColour: (colour: ColorRepresentation) => void;
  dispose: () => void;
}

const edgePx = 1.5;
const handlePx = 11;
const heldPx = 17;

/** Nothing at first. */
export function createClipHandles(): ClipHandles {
  const lineMaterial = new LineMaterial({ linewidth: edgePx, depthTest: false, transparent: true });
  const edges = new LineSegments2(
    new LineSegmentsGeometry().setPositions(unitEdges()),
    lineMaterial,
  );
  const dotMaterials = [handlePx, heldPx].map((size) => dotMaterial(size));
  const [free, held] = dotMaterials.map((material) => new Points(new BufferGeometry(), material));
  const object = new Group();
  object.visible = false;
  edges.matrixAutoUpdate = false;
  for (const part of [edges, free, held]) {
    if (part === undefined) continue;
    part.frustumCulled = false;
    object.add(part);
  }
  return {
    object,
    show(box, heldFace) {
      object.visible = box !== null;
      if (box === null) return;
      edges.matrix.copy(worldFromClip(box));
      const places = (isHeld: boolean): number[] =>
        clipFaces
          .filter((face) => isSame(face, heldFace) === isHeld)
          .flatMap((face) => [...faceCentre(box, face)]);
      setPlaces(free, places(false));
      setPlaces(held, places(true));
    },
    setColour(colour) {
      for (const { color } of [lineMaterial, ...dotMaterials]) color.set(colour);
    },
    dispose() {
      edges.geometry.dispose();
      for (const part of [free, held]) part?.geometry.dispose();
      for (const material of [lineMaterial, ...dotMaterials]) material.dispose();
    },
  };
}

/** The face whose handle is nearest to a pixel, within `reachPx`; null: none is. */
export function faceAt(
  box: UprightBox,
  camera: Camera,
  { xPx, yPx, ...sizePx }: { xPx: number; yPx: number; widthPx: number; heightPx: number },
  reachPx: number,
): ClipFace | null {
  let nearestPx = reachPx;
  let nearest: ClipFace | null = null;
  for (const face of clipFaces) {
    const at = pixelOf(camera, faceCentre(box, face), sizePx);
    if (at === null) continue;
    const awayPx = Math.hypot(at[0] - xPx, at[1] - yPx);
    if (awayPx > nearestPx) continue;
    nearestPx = awayPx;
    nearest = face;
  }
  return nearest;
}

export function isSame(face: ClipFace, other: ClipFace | null): boolean {
  return face.axis === other?.axis && face.end === other.end;
}

/** Round, whatever is in front. */
function dotMaterial(size: number): PointsMaterial {
  const material = new PointsMaterial({ size, sizeAttenuation: false, depthTest: false });
  material.transparent = true;
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      'void main() {',
      'void main() {\n  if (length(gl_PointCoord - 0.5) > 0.5) discard;',
    );
  };
  material.onBeforeRender = (renderer) => void (material.size = size * renderer.getPixelRatio());
  return material;
}

function setPlaces(points: Points | undefined, places: number[]): void {
  if (points === undefined) return;
  points.visible = places.length > 0;
  points.geometry.dispose();
  points.geometry = new BufferGeometry();
  points.geometry.setAttribute('position', new BufferAttribute(Float32Array.from(places), 3));
}

/** The twelve edges from −1 to 1. */
function unitEdges(): number[] {
  const signs = [-1, 1] as const;
  return signs.flatMap((a) =>
    signs.flatMap((b) => [-1, a, b, 1, a, b, a, -1, b, a, 1, b, a, b, -1, a, b, 1]),
  );
}
