// The place whose ranges are shown: a ring of one size on screen, in front of everything.
import {
  Group,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  type Camera,
  type ColorRepresentation,
} from 'three';

export interface PlaceMark {
  readonly object: Group;
  /** null: nowhere. */
  show: (placeM: readonly [number, number, number] | null) => void;
  setColour: (colour: ColorRepresentation) => void;
  dispose: () => void;
}

/** Radius as a share of the distance. */
const share = 0.016;

/** Nowhere at first. */
export function createPlaceMark(): PlaceMark {
  const object = new Group();
  const material = new MeshBasicMaterial({ depthTest: false, transparent: true });
  const rings = [new RingGeometry(0.72, 1, 40), new RingGeometry(0, 0.16, 20)];
  for (const geometry of rings) {
    const ring = new Mesh(geometry, material);
    ring.frustumCulled = false;
    ring.renderOrder = 10;
    ring.onBeforeRender = (_renderer, _scene, camera) => face(camera);
    object.add(ring);
  }
  object.visible = false;
  return {
    object,
    show(placeM) {
      object.visible = placeM !== null;
      if (placeM !== null) object.position.set(...placeM);
    },
    setColour: (colour) => void material.color.set(colour),
    dispose() {
      for (const geometry of rings) geometry.dispose();
      material.dispose();
    },
  };

  function face(camera: Camera): void {
    object.quaternion.copy(camera.quaternion);
    object.scale.setScalar(share * camera.position.distanceTo(object.position));
    object.updateMatrixWorld(true);
  }
}
