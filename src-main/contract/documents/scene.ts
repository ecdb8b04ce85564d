// The scene of a scenario: materials, models, ground, walls, placed instances, scatters. Lengths in metres, angles in
// degrees; world frame ENU (REP-103), yaw counter-clockwise from east.
import { z } from 'zod';
import { maxFromOriginM } from '../worldOrigin.ts';
import { form } from './formWords.ts';
import { landscapeSchema } from './landscape.ts';
import { leafDiscsFields, leavesOf, maxLeafDiscs } from './leafDiscs.ts';
import { motionSchema } from './motion.ts';
import { leafAngleNames } from './plant.ts';
import { atmosphereSchema, materialSchema } from './optics.ts';
import { physicsSchema } from './physics.ts';
import {
  count,
  finite,
  fraction,
  lengthUnits,
  positive,
  shapeLength,
  slug,
  span,
  vector2,
  vector3,
} from './quantities.ts';
import { modelOfScene, scatterSchema } from './scatter.ts';
import { standSchema } from './stand.ts';
import { terrainSchema, type TerrainDocument } from './terrain.ts';
import { weatherSchema } from './weather.ts';
import { windSchema } from './wind.ts';

/** Kinds of models that fill a volume: they are not solid, do not sway and are no part of a vehicle's body. */
const volumeModelKinds = ['learned', 'voxels'] as const;
type VolumeModelKind = (typeof volumeModelKinds)[number];
export type FileModelKind = 'mesh' | VolumeModelKind;

/** Whether models of this kind are read from a file that the scenario names. */
export function isFileModelKind(kind: unknown): kind is FileModelKind {
  return kind === 'mesh' || isVolumeModelKind(kind);
}

export function isVolumeModelKind(kind: unknown): kind is VolumeModelKind {
  return volumeModelKinds.some((known) => known === kind);
}

/** Describes the reference by name to an entry of `scene.materials`. */
const material = slug.describe('a material of the scene').meta(form({ refersTo: 'materials' }));
const area = z.tuple([positive, positive]).meta(form({ parts: ['x', 'y'] }));

const modelShared = {
  solid: z
    .boolean()
    .optional()
    .describe(
      'a vehicle cannot pass: its footprint below 1.5 m counts in collisions. Default: true, but false for grass, shrubs and leaf-discs; of a tree only the wood counts',
    )
    .meta(form({ label: 'Blocks vehicles' })),
  sways: z
    .boolean()
    .optional()
    .describe(
      'sways in the wind of the scene about its lowest point, unless a motion moves it. Default: true for plants, otherwise false',
    )
    .meta(form({ label: 'Sways in the wind' })),
};

const modelSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('mesh').describe('triangles from a file'),
    ...modelShared,
    file: z
      .string()
      .min(1)
      .describe('OBJ (with MTL), PLY (ascii or binary) or STL')
      .meta(form({ hint: 'OBJ, PLY or STL', isWide: true })),
    unit: z.enum(lengthUnits).describe('unit of the coordinates in the file'),
    upAxis: z.enum(['y', 'z']).describe('axis that points up in the file'),
    material: slug
      .describe("for every face that 'materials' does not name")
      .meta(form({ refersTo: 'materials' })),
    materials: z
      .record(z.string(), slug)
      .default({})
      .describe("material of the scene for each material name in the file's MTL")
      .meta(
        form({
          label: 'Materials in the file',
          control: 'mapping',
          refersTo: 'materials',
          isWide: true,
        }),
      ),
    textures: z
      .boolean()
      .optional()
      .describe(
        'use the images that an MTL (map_Kd, map_d) or PLY file (TextureFile) names, PNG or JPEG beside it: ' +
          'colours, and holes where alpha is low. Those that are missing are left out, with a note; false ignores all. Default: true',
      )
      .meta(form({ label: 'Images of the file', fallback: true })),
    alphaThreshold: fraction
      .optional()
      .describe(
        'texels with less alpha are holes: of map_d, or of a PLY image with alpha. Default: 0.5',
      )
      .meta(form({ label: 'Alpha of holes', fallback: 0.5, hint: 'less alpha is a hole' })),
  }),
  z.strictObject({
    kind: z.literal('box').describe('a box with faces along the axes'),
    ...modelShared,
    sizeM: z
      .tuple([shapeLength, shapeLength, shapeLength])
      .describe('centred at the origin')
      .meta(form({ parts: ['x', 'y', 'z'], isWide: true })),
    material,
  }),
  z.strictObject({
    kind: z.literal('sphere').describe('a sphere about the origin, as triangles'),
    ...modelShared,
    radiusM: shapeLength.describe('to the corners'),
    rings: z.int().min(2).max(4096).default(64).describe('facets from pole to pole'),
    material,
  }),
  z.strictObject({
    kind: z.literal('cylinder').describe('an upright cylinder on the origin'),
    ...modelShared,
    radiusM: shapeLength.describe('to the corners'),
    heightM: shapeLength.describe('from z = 0 upwards'),
    sides: z.int().min(3).max(4096).default(64).describe('corners of a cross section'),
    caps: z
      .boolean()
      .default(true)
      .describe('closed at both ends')
      .meta(form({ label: 'Closed' })),
    material,
  }),
  z.strictObject({
    kind: z.literal('plane').describe('a level rectangle'),
    ...modelShared,
    sizeM: z
      .tuple([shapeLength, shapeLength])
      .describe('x and y, centred at the origin, facing z')
      .meta(form({ parts: ['x', 'y'] })),
    divisions: count.max(4096).default(1).describe('cells along each side, two triangles each'),
    material,
  }),
  z.strictObject({
    kind: z
      .literal('root-step')
      .describe('a step in a trail that tree roots hold (Goodin 2018, figure 11), facing -x'),
    ...modelShared,
    sizeM: z
      .tuple([shapeLength, shapeLength])
      .default([2, 3])
      .describe('along and across the trail')
      .meta(form({ parts: ['along', 'across'] })),
    heightM: shapeLength.default(0.4).describe('from the lower to the upper level'),
    roots: z.int().min(0).max(1000).default(9).describe('one along the crest, the others over it'),
    triangles: z
      .int()
      .min(2)
      .max(100_000_000)
      .default(22_000_000)
      .describe('approximate number of triangles'),
    seed: z
      .int()
      .nonnegative()
      .default(1)
      .describe('another seed gives another step')
      .meta(form({ label: 'Individual' })),
    material: slug.describe('of the soil').meta(form({ refersTo: 'materials' })),
    barkMaterial: slug.describe('of the roots').meta(form({ refersTo: 'materials' })),
  }),
  z
    .strictObject({ ...modelShared, ...leafDiscsFields })
    .refine((discs) => leavesOf(discs) <= maxLeafDiscs, {
      path: ['leafSizeM'],
      message: `expected at most ${maxLeafDiscs} leaves: larger ones, fewer, or a smaller box`,
    }),
  z.strictObject({
    kind: z
      .literal('learned')
      .describe('a model of vegetation or of a site, learned from the logs of a sensor'),
    file: z
      .string()
      .min(1)
      .describe('PLY that `understory learn` wrote')
      .meta(form({ hint: 'PLY of a learned model', isWide: true })),
    material: slug
      .describe('colour of its points; what returns of a pulse is learned')
      .meta(form({ refersTo: 'materials' })),
  }),
  z.strictObject({
    kind: z.literal('voxels').describe('vegetation as leaf area density on a grid'),
    file: z
      .string()
      .min(1)
      .describe(
        '.vox (AMAPvox), .npz of `scenario truth` or `estimate`, or a table (.csv) with i, j, k, x_m, y_m, z_m and a density',
      )
      .meta(form({ hint: '.vox, .csv or .npz', isWide: true })),
    leafSizeM: positive
      .default(0.05)
      .describe(
        'diameter of a leaf; rays of a pulse that are closer together mostly meet the same one',
      )
      .meta(form({ label: 'Leaf size' })),
    leafAngles: z
      .enum(leafAngleNames)
      .default('spherical')
      .describe('law of the angles between leaves and the vertical')
      .meta(form({ label: 'Leaf angles' })),
    material: slug.describe('of the leaves').meta(form({ refersTo: 'materials' })),
  }),
  z.strictObject({
    kind: z.literal('plant').describe('a generated plant'),
    ...modelShared,
    plant: z
      .string()
      .min(1)
      .describe('id of a plant in assets/plants, or a plant file')
      .meta(form({ refersTo: 'plants', hint: 'sample or file', isWide: true })),
    seed: z
      .int()
      .nonnegative()
      .optional()
      .describe("another individual; default: the plant's own seed")
      .meta(form({ label: 'Individual', hint: 'empty: plant default' })),
  }),
]);

const instanceSchema = z.strictObject({
  name: slug.describe('unique; what the catalogue and reports call it'),
  model: modelOfScene,
  class: slug.optional().describe("default: the model's name"),
  positionM: vector3
    .describe('z is above the ground below unless onGround is false')
    .meta(form({ parts: ['x', 'y', 'z'], hint: 'z above the ground', isWide: true })),
  onGround: z
    .boolean()
    .default(true)
    .describe(
      'false: positionM.z is the height in the world. Without a ground, the ground is at the height of scene.origin',
    )
    .meta(form({ label: 'On the ground' })),
  yawDeg: finite
    .default(0)
    .describe('about z, counter-clockwise from above; applied last')
    .meta(form({ slider: [-180, 360] })),
  pitchDeg: finite
    .default(0)
    .describe('about y; positive: the x axis down')
    .meta(form({ slider: [-90, 90] })),
  rollDeg: finite
    .default(0)
    .describe('about x; applied first')
    .meta(form({ slider: [-90, 90] })),
  scale: positive
    .default(1)
    .describe('factor on the size of the model')
    .meta(form({ slider: [0.1, 3] })),
  motion: slug
    .optional()
    .describe(
      'a motion of the scene: position and angles are in its frame then, and onGround counts at time 0. Default: it is stationary',
    )
    .meta(form({ refersTo: 'motions' })),
});

const groundSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('plane').describe('level ground'),
    sizeM: area.describe('east and north'),
    centreM: vector2.default([0, 0]).describe('centre of the rectangle'),
    zM: finite
      .default(0)
      .describe('height of the ground')
      .meta(form({ label: 'Height' })),
    material,
  }),
  z.strictObject({
    kind: z.literal('height-field').describe('ground from an image of heights'),
    file: z
      .string()
      .min(1)
      .describe('16-bit grey PNG, first row north')
      .meta(form({ hint: '16-bit grey PNG', isWide: true })),
    sizeM: area.describe('east and north'),
    centreM: vector2.default([0, 0]).describe('centre of the rectangle'),
    zM: span
      .describe('heights of black and of white')
      .meta(form({ label: 'Heights', parts: ['black', 'white'] })),
    material,
  }),
  terrainSchema,
  z.strictObject({ kind: z.literal('none').describe('no ground') }),
]);

const wallSchema = z.strictObject({
  name: slug.describe('unique; what the catalogue and reports call it'),
  fromM: vector2.describe('one end of the centre line'),
  toM: vector2.describe('the other end'),
  heightM: positive.describe('above the ground at its middle'),
  thicknessM: positive.describe('half on each side of the centre line'),
  material,
});

const classSchema = z.strictObject({
  lasCode: z
    .int()
    .min(0)
    .max(255)
    .optional()
    .describe(
      'classification in LAS files. Default: ground 2, grass 3, shrub 4, tree 5, wall 6, noise and weather 7; others from 64 on',
    ),
});

/** The contents of a scene: materials, models, ground, walls, placed instances, scatters. */
export const sceneSchema = z.strictObject({
  origin: vector3
    .optional()
    .describe(
      `world position in metres near the scene, at most ${maxFromOriginM / 1000} km from every position, such as [500000, 5400000, 300]: ` +
        'positions of the scenario are world coordinates, and calculations are relative to it. Default: [0, 0, 0]',
    )
    .meta(
      form({
        label: 'World origin',
        unit: 'm',
        parts: ['x', 'y', 'z'],
        hint: 'near the scene: UTM values go here',
        isWide: true,
      }),
    ),
  crs: z
    .string()
    .min(1)
    .max(100_000)
    .optional()
    .describe(
      "coordinate reference system of the world coordinates, in metres: 'EPSG:25832', or WKT. For exports; nothing is projected",
    )
    .meta(form({ label: 'Coordinate system', hint: 'EPSG:25832, or WKT', isWide: true })),
  materials: z.record(slug, materialSchema).describe('optical properties, by name'),
  models: z.record(slug, modelSchema).default({}).describe('geometry for instances, by name'),
  ground: groundSchema.default({ kind: 'none' }).describe('what instances stand on'),
  walls: z.array(wallSchema).default([]).describe('straight walls between two points'),
  instances: z.array(instanceSchema).default([]).describe('models at given places'),
  scatters: z.array(scatterSchema).default([]).describe('models at random places in an area'),
  stands: z
    .array(standSchema)
    .optional()
    .describe('woods and crops of individual plants; left out: there are none'),
  landscapes: z
    .array(landscapeSchema)
    .max(1000)
    .optional()
    .describe('large areas of repeated tiles of plants; left out: there are none'),
  motions: z
    .record(slug, motionSchema)
    .optional()
    .describe('what instances move with, by name; left out: everything is stationary'),
  physics: physicsSchema.optional().describe('of motions of kind baked; left out: there are none'),
  classes: z
    .record(slug, classSchema)
    .optional()
    .describe('how files for other programs denote classes, by name'),
  atmosphere: atmosphereSchema.optional().describe('left out: a vacuum'),
  weather: weatherSchema.optional().describe('left out: clear'),
  wind: windSchema.optional().describe('plants sway in it; left out: there is none'),
  mirrorDepth: z
    .int()
    .min(0)
    .max(32)
    .default(4)
    .describe('mirrors along a ray; at one more it ends')
    .meta(form({ label: 'Max mirror bounces' })),
});

export type SceneDocument = z.output<typeof sceneSchema>;
export type ModelDocument = z.output<typeof modelSchema>;

export function isVolumeModel(
  model: ModelDocument,
): model is Extract<ModelDocument, { kind: VolumeModelKind }> {
  return isVolumeModelKind(model.kind);
}

/** As a person writes it: what has a default may be left out. */
export type SceneInput = z.input<typeof sceneSchema>;

/** Models whose leaves are drawn. */
export function leafDiscsOf({ models }: Pick<SceneDocument, 'models'>) {
  return Object.values(models).filter((model) => model.kind === 'leaf-discs');
}

/** The generated ground, where the scene has one. */
export function terrainsOf({ ground }: Pick<SceneDocument, 'ground'>): TerrainDocument[] {
  return ground.kind === 'terrain' ? [ground] : [];
}
