// The body of a vehicle as its own sensors meet it: boxes and models of the scene, fixed to the vehicle's frame (REP-103:
// x ahead, y left, z up; the origin is on the ground below its centre).
import { z } from 'zod';
import { form } from './formWords.ts';
import { finite, positive, shapeLength, slug, vector3 } from './quantities.ts';

const vehicleAxes = ['ahead', 'left', 'up'];

const inVehicle = (start: [number, number, number]) =>
  form({ parts: vehicleAxes, isWide: true, start });

const placed = {
  name: slug
    .describe('unique; its returns are those of the object vehicle:NAME')
    .meta(form({ start: 'part' })),
  yawDeg: finite.default(0).describe('positive: to the left'),
  pitchDeg: finite.default(0).describe('positive: nose down (REP-103)'),
  rollDeg: finite.default(0).describe('positive: right side down'),
};

/** Parts of a body: hull, roof, mast … */
export const bodySchema = z
  .array(
    z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('box').describe('a box with faces along the axes'),
        ...placed,
        positionM: vector3
          .describe('of its middle, in the vehicle frame')
          .meta(inVehicle([0, 0, 0.5])),
        sizeM: z
          .tuple([shapeLength, shapeLength, shapeLength])
          .describe('ahead, left, up')
          .meta(form({ parts: vehicleAxes, isWide: true, start: [1, 1, 1] })),
        material: slug.describe('a material of the scene').meta(form({ refersTo: 'materials' })),
      }),
      z.strictObject({
        kind: z.literal('model').describe('a model of the scene'),
        ...placed,
        positionM: vector3
          .describe("of the model's origin, in the vehicle frame")
          .meta(inVehicle([0, 0, 0])),
        model: slug.describe('a model of the scene').meta(form({ refersTo: 'models' })),
        scale: positive.default(1).describe('factor on the size of the model'),
      }),
    ]),
  )
  .min(1);

export type BodyPart = z.output<typeof bodySchema>[number];

/** 'seen': the body returns; 'masked': rays that meet it return nothing, as drivers of sensors mask their vehicle. */
export const bodyViews = ['seen', 'masked'] as const;
export type BodyView = (typeof bodyViews)[number];

/** The class of its returns. */
export const vehicleClass = 'vehicle';
