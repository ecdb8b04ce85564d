// The sensors of a vehicle where they are mounted, with the edges of their fields of view.
import {
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
} from 'three';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { fieldEdges } from '#renderer/logic/sensor/fieldOfView.ts';

export interface MountedSensors {
  /** In the frame of the vehicle. */
  readonly object: Group;
  show: (sensors: SceneContents['sensors']) => void;
  setFieldsShown: (isShown: boolean) => void;
  setColour: (colour: string) => void;
  dispose: () => void;
}

const radiusM = 0.12;
const heightM = 0.16;
/** Fields of view are drawn up to here. */
const fieldM = 7;

/** None at first. */
export function createMountedSensors(): MountedSensors {
  const object = new Group();
  const body = new MeshLambertMaterial();
  const line = new LineBasicMaterial({ transparent: true, opacity: 0.55, depthWrite: false });
  let geometries: BufferGeometry[] = [];
  let fields: LineSegments[] = [];
  let areFieldsShown = true;
  return {
    object,
    show(sensors) {
      empty();
      for (const { mount, view } of sensors) {
        const one = new Group();
        one.position.set(...mount.positionM);
        one.quaternion.set(...mount.rotation);
        const housing = new CylinderGeometry(radiusM, radiusM, heightM, 20).rotateX(Math.PI / 2);
        const lines = new BufferGeometry();
        lines.setAttribute('position', new BufferAttribute(fieldEdges(view, fieldM), 3));
        const field = new LineSegments(lines, line);
        one.add(new Mesh(housing, body), field);
        object.add(one);
        geometries.push(housing, lines);
        fields.push(field);
      }
      applyShown();
    },
    setFieldsShown(isShown) {
      areFieldsShown = isShown;
      applyShown();
    },
    setColour(colour) {
      body.color.set(colour);
      line.color.set(colour);
    },
    dispose() {
      empty();
      body.dispose();
      line.dispose();
    },
  };

  function applyShown(): void {
    for (const field of fields) field.visible = areFieldsShown;
  }

  function empty(): void {
    for (const geometry of geometries) geometry.dispose();
    geometries = [];
    fields = [];
    object.clear();
  }
}
