// Boxes of moving objects in the view of a run: edges, faces that let the cloud through, and names above them.
import {
  BoxGeometry,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  type PerspectiveCamera,
  Quaternion,
  Vector3,
} from 'three';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js';
import type { ObjectState } from '#contract/host/movingObjects.ts';
import { createLabelLayer, type LabelText } from '../engine/labelLayer.ts';

export interface ObjectBoxes {
  readonly object: Group;
  show: (objects: readonly ObjectState[]) => void;
  /** After each frame. */
  placeNames: (camera: PerspectiveCamera, sizePx: { widthPx: number; heightPx: number }) => void;
  setColour: (colour: string) => void;
  dispose: () => void;
}

/** Height of a name above its box. */
const aboveM = 0.15;

/** `labels`: gets the names; null: they are left out. */
export function createObjectBoxes(labels: HTMLElement | null): ObjectBoxes {
  const object = new Group();
  const names = labels === null ? null : createLabelLayer(labels);
  const edgeMaterial = new LineMaterial({ linewidth: 2 });
  const edges = new LineSegments2(new LineSegmentsGeometry(), edgeMaterial);
  edges.frustumCulled = false;
  const faceMaterial = new MeshBasicMaterial({
    transparent: true,
    opacity: 0.14,
    depthWrite: false,
    side: DoubleSide,
  });
  const box = new BoxGeometry(1, 1, 1);
  let faces = createFaces(1);
  let texts: LabelText[] = [];
  let places: Matrix4[] = [];
  object.add(edges, faces);
  apply();

  return {
    object,
    show(objects) {
      places = objects.map(({ pose, sizeM }) =>
        new Matrix4().compose(
          new Vector3(...pose.positionM),
          new Quaternion(...pose.rotation),
          new Vector3(...sizeM),
        ),
      );
      texts = objects.map(({ name, class: className, pose, sizeM }) => {
        const [x, y, z] = pose.positionM;
        const text = className === '' || className === name ? name : `${name} · ${className}`;
        return { text, positionM: [x, y, z + sizeM[2] / 2 + aboveM], kind: 'name' };
      });
      apply();
    },
    placeNames(camera, { widthPx, heightPx }) {
      names?.show(object.visible ? texts : []);
      names?.place(camera, widthPx, heightPx);
    },
    setColour(colour) {
      edgeMaterial.color.set(colour);
      faceMaterial.color.set(colour);
    },
    dispose() {
      edges.geometry.dispose();
      faces.dispose();
      for (const part of [box, edgeMaterial, faceMaterial]) part.dispose();
    },
  };

  function createFaces(capacity: number): InstancedMesh {
    const made = new InstancedMesh(box, faceMaterial, capacity);
    made.instanceMatrix.setUsage(DynamicDrawUsage);
    made.frustumCulled = false;
    return made;
  }

  function apply(): void {
    if (places.length > faces.instanceMatrix.count) {
      object.remove(faces);
      faces.dispose();
      faces = createFaces(2 ** Math.ceil(Math.log2(places.length)));
      object.add(faces);
    }
    faces.count = places.length;
    for (const [index, place] of places.entries()) faces.setMatrixAt(index, place);
    faces.instanceMatrix.needsUpdate = true;
    edges.visible = places.length > 0;
    if (!edges.visible) return;
    edges.geometry.dispose();
    edges.geometry = new LineSegmentsGeometry();
    edges.geometry.setPositions(places.flatMap(edgesOf));
  }
}

/** Ends of the edges of the unit box, one after another. */
const boxEdges = [0, 1, 2].flatMap((axis) =>
  [-0.5, 0.5].flatMap((a) =>
    [-0.5, 0.5].flatMap((b) =>
      [-0.5, 0.5].map((end) => {
        const corner: [number, number, number] = [0, 0, 0];
        corner[axis] = end;
        corner[(axis + 1) % 3] = a;
        corner[(axis + 2) % 3] = b;
        return new Vector3(...corner);
      }),
    ),
  ),
);

function edgesOf(place: Matrix4): number[] {
  return boxEdges.flatMap((corner) => corner.clone().applyMatrix4(place).toArray());
}
