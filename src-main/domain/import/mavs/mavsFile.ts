// Scene files of MAVS (Mississippi State University): the part of their JSON that describes geometry, checked by a
// schema. The meanings of keys are those of the loader of MAVS (raytracers/embree_tracer).
import { z } from 'zod';
import { finite, vector2, vector3 } from '#contract/documents/quantities.ts';

const axes = {
  'Rotate Y to Z': z.boolean().default(false),
  'Rotate X to Y': z.boolean().default(false),
  'Rotate Y to X': z.boolean().default(false),
};

const placeSchema = z.looseObject({
  YawPitchRoll: vector3.default([0, 0, 0]),
  Position: vector3.default([0, 0, 0]),
  Scale: vector3.default([1, 1, 1]),
});

const spanOrSpans = z.union([vector2, z.tuple([vector2, vector2, vector2])]);

const randomSchema = z.looseObject({
  Number: z.int().nonnegative().max(20_000_000),
  Polygon: z.array(vector2).min(3),
  Offset: vector3.default([0, 0, 0]),
  Scale: spanOrSpans.default([1, 1]),
  'Minimum Spacing': finite.nonnegative().default(0),
});

const objectSchema = z.looseObject({
  Mesh: z.string().min(1),
  ...axes,
  Instances: z.array(placeSchema).optional(),
  Random: randomSchema.optional(),
});

const surfaceSchema = z.looseObject({
  Mesh: z.string().min(1),
  ...axes,
  ...placeSchema.shape,
});

/** A whole file; keys that are not named here are kept for the report. */
export const mavsFileSchema = z.looseObject({
  PathToMeshes: z.string().optional(),
  UseFullPaths: z.boolean().default(false),
  'Surface Mesh': z.array(surfaceSchema).default([]),
  'Layered Surface': z.looseObject({ Mesh: z.string().optional() }).optional(),
  Objects: z.array(objectSchema).default([]),
});

export type MavsFile = z.output<typeof mavsFileSchema>;
export type MavsPlace = z.output<typeof placeSchema>;
export type MavsObject = z.output<typeof objectSchema>;
