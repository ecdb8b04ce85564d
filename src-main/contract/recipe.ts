// What the native worker is given: the scene and the sensor resolved to SI units, ids and absolute files.
// domain/scene and domain/sensor write these documents; native-workers/core reads the same names.
import type { Plant } from './plant.ts';
import type { ReturnMode } from './sensor.ts';

/** Where a model's triangles come from. `material` and `materials` index SceneRecipe.materials. */
export type ModelSource =
  | {
      kind: 'mesh';
      file: string;
      format: 'obj' | 'ply' | 'stl';
      /** Metres per unit of the file. */
      unitM: number;
      upAxis: 'y' | 'z';
      material: number;
      materials: Record<string, number>;
    }
  | { kind: 'box'; sizeM: [number, number, number]; material: number }
  | { kind: 'sphere'; radiusM: number; rings: number; material: number }
  | {
      kind: 'cylinder';
      radiusM: number;
      heightM: number;
      sides: number;
      caps: boolean;
      material: number;
    }
  | { kind: 'plane'; sizeM: [number, number]; divisions: number; material: number }
  | { kind: 'plant'; plant: Plant; seed: number; materials: Record<string, number> }
  /** Heights lie in the call's payload as f32 column `heights`, row by row from the south, x fastest. */
  | {
      kind: 'height-field';
      columns: number;
      rows: number;
      originM: [number, number];
      stepM: [number, number];
      material: number;
    };

export interface ModelRecipe {
  name: string;
  /** 'all': every triangle stops a vehicle; 'wood': those of the bark material; 'none'. */
  solid: 'all' | 'wood' | 'none';
  source: ModelSource;
}

/** One placed copy of a model. A wall is an instance of a box, the ground of a plane or height field. */
export interface InstanceRecipe {
  /** From 1, unique in the scene; 0 means nothing. */
  id: number;
  name: string;
  class: number;
  model: number;
  /** z is relative to the ground below when `onGround`. */
  positionM: [number, number, number];
  onGround: boolean;
  /** Unit quaternion x, y, z, w: worldFromModel. */
  rotation: [number, number, number, number];
  scale: number;
}

export interface ScatterRecipe {
  /** The n-th copy (from 0) has id firstId + n and is called `name`-(n + 1). */
  firstId: number;
  name: string;
  class: number;
  model: number;
  count: number;
  pattern: 'uniform' | 'poisson-disk';
  minSpacingM: number;
  areaM: [number, number][];
  yawRad: [number, number];
  scale: [number, number];
  tiltRad: [number, number];
  keepClear: { centreM: [number, number]; radiusM: number }[];
}

export interface SceneRecipe {
  seed: number;
  /** colourRgb: 0 to 1, for pictures. */
  materials: { name: string; reflectance: number; colourRgb: [number, number, number] }[];
  /** 'ground' and 'wall' are the classes of ground and walls. */
  classes: string[];
  models: ModelRecipe[];
  instances: InstanceRecipe[];
  scatters: ScatterRecipe[];
  /** Index in `instances` of the ground, or -1: what `onGround` and scatters stand on. */
  ground: number;
}

/** A sensor in SI units. Slot k fires block slotPattern[k mod length] at t = k / slotsPerSecond. */
export interface SensorRecipe {
  id: string;
  scan:
    | { kind: 'spinning'; rateHz: number }
    | {
        kind: 'sweep';
        rateHz: number;
        minAzimuthRad: number;
        maxAzimuthRad: number;
        slotsPerScan: number;
      };
  slotsPerSecond: number;
  /** Lasers of one block fire together; ring: rank of the laser over all blocks by elevation, from 0. */
  blocks: { elevationsRad: number[]; rings: number[] }[];
  slotPattern: number[];
  minRangeM: number;
  maxRangeM: number;
  beam: {
    shape: 'circular' | 'rectangular' | 'elliptical';
    divergenceHorizontalRad: number;
    divergenceVerticalRad: number;
    stencil: 'moment' | 'goodin2018';
  };
  returns: { mode: ReturnMode; signalCutoffM: number; window: boolean };
}
