// The vehicle's cost map as a textured plane on the ground: unknown cells are clear.
import {
  DataTexture,
  Mesh,
  MeshBasicMaterial,
  NearestFilter,
  PlaneGeometry,
  SRGBColorSpace,
} from 'three';
import type { MapGeometry } from '#contract/host/run.ts';
import { paintCostOverlay } from '#domain/shared/costMapImage.ts';

export interface CostMapPlane {
  readonly object: Mesh;
  /** `cost`: 0–100, 255 unknown, row by row from the south-west corner, x fastest. */
  show(geometry: MapGeometry, cost: Uint8Array, groundM: number): void;
  setOpacity(opacity: number): void;
  clear(): void;
  dispose(): void;
}

/** Above the ground, so that the two surfaces do not flicker. */
const liftM = 0.03;

/** A plane that shows nothing yet. */
export function createCostMapPlane(): CostMapPlane {
  const material = new MeshBasicMaterial({ transparent: true, depthWrite: false });
  const object = new Mesh(new PlaneGeometry(1, 1), material);
  object.visible = false;
  object.renderOrder = -1;
  let texture: DataTexture | null = null;
  let pixels = new Uint8Array(0);

  return {
    object,
    show({ cells, cellM, originM }, cost, groundM) {
      if (texture === null || texture.image.width !== cells) {
        texture?.dispose();
        pixels = new Uint8Array(4 * cells * cells);
        texture = new DataTexture(pixels, cells, cells);
        texture.colorSpace = SRGBColorSpace;
        texture.magFilter = NearestFilter;
        material.map = texture;
        material.needsUpdate = true;
      }
      paintCostOverlay(cost, pixels);
      texture.needsUpdate = true;
      const sizeM = cells * cellM;
      object.scale.set(sizeM, sizeM, 1);
      object.position.set(originM[0] + sizeM / 2, originM[1] + sizeM / 2, groundM + liftM);
      object.visible = true;
    },
    setOpacity(opacity) {
      material.opacity = opacity;
    },
    clear() {
      object.visible = false;
    },
    dispose() {
      texture?.dispose();
      material.dispose();
      object.geometry.dispose();
    },
  };
}
