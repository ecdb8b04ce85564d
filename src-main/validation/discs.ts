// Layers of discs at independent places over a ground: homogeneous canopies of known leaf area and leaf-angle law.
import type { SceneInput } from '#contract/documents/scene.ts';
import { leafAngleAt, type LeafAngleLaw } from '#domain/metrics/leafAngles.ts';
import { purposes, uniforms } from '#domain/random/philox.ts';
import type { Scene } from '#services/scans/sceneWork.ts';
import type { ValidationBench } from './bench.ts';
import { withLeaves, type Placed } from './scenes.ts';

export interface DiscLayer {
  law: LeafAngleLaw;
  /** Its area is that of the polygon. */
  radiusM: number;
  sides: number;
  /** Extent of the centres: over a square about the origin, from the ground up. */
  widthM: number;
  heightM: number;
  discs: number;
}

/** The upper face of the ground. */
const groundM = -0.2;
/** Flat: 1e-5 m of rim over 0.08 m of radius is 1e-4 of the area edge-on. */
const thicknessM = 1e-5;

export function discAreaM2({ radiusM, sides }: Pick<DiscLayer, 'radiusM' | 'sides'>): number {
  return (sides / 2) * radiusM ** 2 * Math.sin((2 * Math.PI) / sides);
}

/** Places are uniform in the layer, normals have the law's angle and any azimuth. */
export function drawDiscs(layer: DiscLayer, seed: number, stream: number): Placed[] {
  const { law, widthM, heightM, discs } = layer;
  return Array.from({ length: discs }, (_, n): Placed => {
    const [x, y, z, u] = uniforms(seed, purposes.canopyDiscs, stream, 2 * n);
    const [v] = uniforms(seed, purposes.canopyDiscs, stream, 2 * n + 1);
    const [half, turn] = [leafAngleAt(law, u) / 2, Math.PI * v];
    return {
      positionM: [(x - 0.5) * widthM, (y - 0.5) * widthM, z * heightM],
      // About y by the angle, then about z.
      rotation: [
        -Math.sin(turn) * Math.sin(half),
        Math.cos(turn) * Math.sin(half),
        Math.sin(turn) * Math.cos(half),
        Math.cos(turn) * Math.cos(half),
      ],
    };
  });
}

/** The discs over a ground that every ray meets which passes them; its object id is 1. */
export async function discScene(
  bench: ValidationBench,
  { radiusM, sides }: Pick<DiscLayer, 'radiusM' | 'sides'>,
  drawn: readonly Placed[],
): Promise<Scene> {
  const document: SceneInput = {
    materials: {
      leaf: { reflectance: 0.5, colour: '#4f8a3c', part: 'leaf' },
      soil: { reflectance: 0.3, colour: '#8b7a62' },
    },
    models: {
      disc: { kind: 'cylinder', radiusM, heightM: thicknessM, sides, material: 'leaf' },
      backdrop: { kind: 'box', sizeM: [20, 20, 0.1], material: 'soil' },
    },
    instances: [
      { name: 'backdrop', model: 'backdrop', positionM: [0, 0, groundM - 0.05], onGround: false },
    ],
  };
  return withLeaves(await bench.scene(document, 1), 'disc', drawn);
}
