// The sensor in the scene: its body, the fan of its lasers and the edges of its field of view.
import {
  BufferAttribute,
  BufferGeometry,
  CylinderGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
} from 'three';

export interface SensorMarks {
  readonly object: Group;
  /** worldFromSensor: position, yaw and pitch (REP-103: a positive pitch lowers the nose). */
  place(positionM: readonly [number, number, number], yawRad: number, pitchRad: number): void;
  /** Line segments in the sensor's frame. */
  show(fan: Float32Array, edges: Float32Array): void;
  setColours(colours: { body: string; fan: string; edges: string }): void;
  dispose(): void;
}

const radiusM = 0.06;
const heightM = 0.14;

/** The sensor of the next scan with its field of view. */
export function createSensorMarks(): SensorMarks {
  const object = new Group();
  const bodyColour = new MeshBasicMaterial();
  const bandColour = new MeshBasicMaterial();
  const body = new Mesh(new CylinderGeometry(radiusM, radiusM, heightM, 24), bodyColour);
  const band = new Mesh(
    new CylinderGeometry(1.04 * radiusM, 1.04 * radiusM, 0.3 * heightM, 24),
    bandColour,
  );
  // A nose, so that one sees where ahead is.
  const nose = new Mesh(new CylinderGeometry(0.02, 0, 0.1, 12), bandColour);
  nose.rotation.z = Math.PI / 2;
  nose.position.x = radiusM + 0.06;
  for (const part of [body, band]) part.rotation.x = Math.PI / 2;
  const fanColour = new LineBasicMaterial({ transparent: true, opacity: 0.55 });
  const edgeColour = new LineBasicMaterial({ transparent: true, opacity: 0.8 });
  const fan = new LineSegments(new BufferGeometry(), fanColour);
  const edges = new LineSegments(new BufferGeometry(), edgeColour);
  for (const lines of [fan, edges]) lines.frustumCulled = false;
  object.add(body, band, nose, fan, edges);
  object.rotation.order = 'ZYX';
  return {
    object,
    place(positionM, yawRad, pitchRad) {
      object.position.set(...positionM);
      object.rotation.set(0, pitchRad, yawRad);
    },
    show(fanM, edgesM) {
      fan.geometry.setAttribute('position', new BufferAttribute(fanM, 3));
      edges.geometry.setAttribute('position', new BufferAttribute(edgesM, 3));
    },
    setColours(colours) {
      bodyColour.color.set(colours.body);
      bandColour.color.set(colours.fan);
      fanColour.color.set(colours.fan);
      edgeColour.color.set(colours.edges);
    },
    dispose() {
      for (const { geometry } of [body, band, nose, fan, edges]) geometry.dispose();
      for (const material of [bodyColour, bandColour, fanColour, edgeColour]) material.dispose();
    },
  };
}
