// The vehicle as a box of its size on four wheels, its nose marked; the origin is on the ground below it.
import {
  BoxGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshLambertMaterial,
  type BufferGeometry,
  type Material,
} from 'three';
import type { Pose } from '#contract/host/run.ts';

export interface VehicleModel {
  readonly object: Group;
  place: (pose: Pose) => void;
  /** Length, width, height in metres. */
  setSize: (sizeM: readonly [number, number, number]) => void;
  setColour: (colour: string) => void;
  dispose: () => void;
}

/** A vehicle of the default size, out of sight until it is placed. */
export function createVehicleModel(): VehicleModel {
  const object = new Group();
  object.visible = false;
  const hull = new MeshLambertMaterial();
  const dark = new MeshLambertMaterial({ color: '#23282d' });
  let parts: Mesh<BufferGeometry>[] = [];
  setSize([2.4, 1.6, 1.6]);

  return {
    object,
    place({ positionM, rotation }) {
      object.position.set(...positionM);
      object.quaternion.set(...rotation);
    },
    setSize,
    setColour(colour) {
      hull.color.set(colour);
    },
    dispose() {
      empty();
      hull.dispose();
      dark.dispose();
    },
  };

  function setSize([lengthM, widthM, heightM]: readonly [number, number, number]): void {
    empty();
    const wheelRadiusM = Math.min(0.2 * lengthM, 0.3 * heightM);
    const bodyM = 0.45 * heightM;
    part(new BoxGeometry(lengthM, 0.8 * widthM, bodyM), hull, 0, 0, wheelRadiusM + bodyM / 2);
    const deckM = wheelRadiusM + bodyM;
    const cabinM = heightM - deckM;
    part(
      new BoxGeometry(0.45 * lengthM, 0.7 * widthM, cabinM),
      dark,
      -0.15 * lengthM,
      0,
      deckM + cabinM / 2,
    );
    part(
      new BoxGeometry(0.06 * lengthM, 0.8 * widthM, 0.5 * bodyM),
      dark,
      lengthM / 2,
      0,
      wheelRadiusM + 0.4 * bodyM,
    );
    for (const x of [-0.32, 0.32]) {
      for (const side of [-1, 1]) {
        const wheel = new CylinderGeometry(wheelRadiusM, wheelRadiusM, 0.16 * widthM, 20);
        part(wheel, dark, x * lengthM, side * 0.42 * widthM, wheelRadiusM);
      }
    }
  }

  function part(
    geometry: BufferGeometry,
    material: Material,
    x: number,
    y: number,
    z: number,
  ): void {
    const mesh = new Mesh(geometry, material);
    mesh.position.set(x, y, z);
    parts.push(mesh);
    object.add(mesh);
  }

  function empty(): void {
    for (const { geometry } of parts) geometry.dispose();
    object.remove(...parts);
    parts = [];
  }
}
