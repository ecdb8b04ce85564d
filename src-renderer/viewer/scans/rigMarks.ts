// The vehicle of a scenario with its sensors' mounts, as lines and small bodies over the view of a scene.
import {
  BoxGeometry,
  type BufferGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  SphereGeometry,
} from 'three';
import type { Rig } from '#renderer/logic/sceneEdit/rigOf.ts';

export interface RigMarks {
  readonly object: Group;
  /** `groundM`: height of the ground below the vehicle. */
  show(rig: Rig, groundM: number): void;
  setColours(colours: { hull: string; sensors: string }): void;
  dispose: () => void;
}

const mountRadiusM = 0.09;

/** Vehicle and mounted sensors with their axes; empty at first. */
export function createRigMarks(): RigMarks {
  const object = new Group();
  object.visible = false;
  const edges = new LineBasicMaterial();
  const hull = new MeshBasicMaterial({ transparent: true, opacity: 0.25, depthWrite: false });
  const sensors = new MeshBasicMaterial();
  let geometries: BufferGeometry[] = [];
  return {
    object,
    show({ sizeM, placeM, yawRad, mountsM }, groundM) {
      empty();
      const [lengthM, widthM, heightM] = sizeM;
      box([lengthM, widthM, heightM], [0, 0, heightM / 2]);
      // The nose: which end is the front.
      const noseM = 0.08 * lengthM;
      box([noseM, 0.4 * widthM, 0.2 * heightM], [lengthM / 2 + noseM / 2, 0, heightM / 2]);
      for (const mountM of mountsM) {
        const body = new Mesh(new SphereGeometry(mountRadiusM, 16, 12), sensors);
        geometries.push(body.geometry);
        body.position.set(...mountM);
        object.add(body);
      }
      object.position.set(placeM[0], placeM[1], groundM);
      object.rotation.set(0, 0, yawRad);
      object.visible = true;
    },
    setColours(colours) {
      edges.color.set(colours.hull);
      hull.color.set(colours.hull);
      sensors.color.set(colours.sensors);
    },
    dispose() {
      empty();
      for (const material of [edges, hull, sensors]) material.dispose();
    },
  };

  function box(sizeM: [number, number, number], atM: [number, number, number]): void {
    const solid = new BoxGeometry(...sizeM);
    for (const part of [new Mesh(solid, hull), new LineSegments(new EdgesGeometry(solid), edges)]) {
      part.position.set(...atM);
      geometries.push(part.geometry);
      object.add(part);
    }
  }

  function empty(): void {
    for (const geometry of geometries) geometry.dispose();
    geometries = [];
    object.clear();
  }
}
