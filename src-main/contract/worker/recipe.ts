// What the native worker is given: the scene and the sensor resolved to SI units, ids and absolute files.
// domain/scene and domain/sensor write these documents; native-workers/core reads the same names.
import type { Plant } from '../documents/plant.ts';
import type { ReturnMode } from '../documents/sensorReturns.ts';

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
  materials: MaterialRecipe[];
  /** 'ground' and 'wall' are the classes of ground and walls. */
  classes: string[];
  models: ModelRecipe[];
  instances: InstanceRecipe[];
  scatters: ScatterRecipe[];
  /** Index in `instances` of the ground, or -1: what `onGround` and scatters stand on. */
  ground: number;
  /** Left out: a vacuum. */
  atmosphere?: AtmosphereRecipe;
  /** Most mirrors on the way of a ray; left out: 4. */
  mirrorDepth?: number;
}

export interface MaterialRecipe {
  name: string;
  /** Diffuse, both sides, 0 to 1: a number, or [wavelength in nm, reflectance] with rising wavelengths. */
  reflectance: number | [number, number][];
  /** Left out: lambertian. */
  surface?:
    | { kind: 'lambertian' }
    | { kind: 'oren-nayar'; roughnessRad: number }
    | { kind: 'mirror' }
    | { kind: 'retroreflector'; gain: number; halfWidthRad: number };
  /** Share of a ray that goes straight on; left out: 0. */
  transmittance?: number;
  /** 0 to 1, for pictures. */
  colourRgb: [number, number, number];
}

/** PHYSICS.md, 2.3. Coefficients add up. */
export interface AtmosphereRecipe {
  /** Of clear air or fog. */
  visibilityKm?: number;
  visibilityLaw?: 'kruse' | 'kim';
  rainMmPerH?: number;
  /** Given outright, at every wavelength. */
  extinctionPerM?: number;
}

/**
 * A sensor in SI units. Slot k fires block slotPattern[k mod length] at clock.phaseNs + k / slotsPerSecond; of an
 * image, slot k is column k mod columns, and all slots of an image have the time of its first. What may be left
 * out, the sensor does not have.
 */
export interface SensorRecipe {
  id: string;
  /** Number of the sensor on its rig, part of the key of everything random about it; left out: 0. */
  stream?: number;
  scan:
    | { kind: 'spinning'; rateHz: number }
    | {
        kind: 'sweep';
        rateHz: number;
        minAzimuthRad: number;
        maxAzimuthRad: number;
        slotsPerScan: number;
      }
    | {
        kind: 'mirror';
        rateHz: number;
        minAngleRad: number;
        maxAngleRad: number;
        slotsPerScan: number;
      }
    | { kind: 'image'; rateHz: number; columns: number; rows: number; horizontalFovRad: number };
  slotsPerSecond: number;
  clock?: ClockRecipe;
  /** Lasers of one block fire together; ring: rank of the laser over all blocks by elevation, from 0. */
  blocks: LaserBlockRecipe[];
  slotPattern: number[];
  minRangeM: number;
  maxRangeM: number;
  backfoldM?: number;
  /** Left out: 905. */
  wavelengthNm?: number;
  beam: BeamRecipe;
  /** Left out: relative. */
  radiometry?: 'relative' | 'radar-equation';
  returns: ReturnsRecipe;
  noise?: NoiseRecipe;
  /** Steps of what is reported; 0: none. */
  quantisation?: { rangeM: number; azimuthRad: number };
}

/** The sensor's own clock: it starts to fire at phaseNs, and stamps t with t·(1 + driftPpm·1e-6) + offsetNs. */
export interface ClockRecipe {
  phaseNs: number;
  offsetNs: number;
  driftPpm: number;
}

export interface LaserBlockRecipe {
  elevationsRad: number[];
  rings: number[];
  /** Added to the azimuth of each laser. */
  azimuthOffsetsRad?: number[];
  /** How long after its slot each laser fires. */
  firingOffsetsNs?: number[];
}

export interface BeamRecipe {
  shape: 'circular' | 'rectangular' | 'elliptical';
  divergenceHorizontalRad: number;
  divergenceVerticalRad: number;
  stencil: 'moment' | 'goodin2018' | 'rays';
  /** With stencil 'rays'. */
  rays?: {
    count: number;
    /** Tabulated: [distance in half divergences, irradiance]. */
    profile: 'uniform' | 'gaussian' | [number, number][];
    sampling: 'stratified' | 'random';
    dither: boolean;
  };
}

export interface ReturnsRecipe {
  mode: ReturnMode;
  signalCutoffM: number;
  window: boolean;
  /** Left out: 0, every ray is its own echo. */
  rangeResolutionM?: number;
  /** With mode 'all'. */
  maxReturns?: number;
  /** Left out: 0. */
  detectionThreshold?: number;
  gate?: { fullToM: number; noneBeyondM: number; reflectanceNear: number; reflectanceFar: number };
  waveform?: { binNs: number; pulseWidthNs: number };
}

/** Standard deviations; 0 switches a part off. */
export interface NoiseRecipe {
  laserBiasSigmaM: number;
  rangeSigmaM: number;
  incidenceSigmaM: number;
  rangeSigmaPerM: number;
  signalSigmaM: number;
  pointingSigmaRad: number;
  dropOutShare: number;
}
