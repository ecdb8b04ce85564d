// Boxes of moving objects as foxglove.SceneUpdate, which the 3D panels of Foxglove and Lichtblick draw by themselves.
// Beside the recorded topic, for the screen only.
import { decodeRos } from '#recordings/ros/schemas.ts';
import { objectsTopic } from '#recordings/ros/topics.ts';

interface Xyz {
  x: number;
  y: number;
  z: number;
}

interface Detections {
  detections: {
    header: { stamp: { sec: number; nanosec: number }; frame_id: string };
    results: { hypothesis: { class_id: string } }[];
    bbox: { center: { position: Xyz; orientation: Xyz & { w: number } }; size: Xyz };
    id: string;
  }[];
}

const array = (items: object): object => ({ type: 'array', items });
const fields = (properties: object): object => ({ type: 'object', properties });
const number = { type: 'number' };
const text = { type: 'string' };
const time = fields({ sec: { type: 'integer' }, nsec: { type: 'integer' } });
const xyz = { x: number, y: number, z: number };
const pose = fields({ position: fields(xyz), orientation: fields({ ...xyz, w: number }) });
const colour = fields({ r: number, g: number, b: number, a: number });

/** foxglove.SceneUpdate, with the primitives that are used here. */
export const boxesChannel = {
  topic: `${objectsTopic}/boxes`,
  encoding: 'json',
  schemaName: 'foxglove.SceneUpdate',
  schemaEncoding: 'jsonschema',
  schema: JSON.stringify({
    title: 'foxglove.SceneUpdate',
    ...fields({
      deletions: array(fields({ timestamp: time, type: { type: 'integer' }, id: text })),
      entities: array(
        fields({
          timestamp: time,
          frame_id: text,
          id: text,
          lifetime: time,
          frame_locked: { type: 'boolean' },
          metadata: array(fields({ key: text, value: text })),
          cubes: array(fields({ pose, size: fields(xyz), color: colour })),
          texts: array(
            fields({
              pose,
              billboard: { type: 'boolean' },
              font_size: number,
              scale_invariant: { type: 'boolean' },
              color: colour,
              text,
            }),
          ),
        }),
      ),
    }),
  }),
};

/** Height of a name above its box. */
const aboveM = 0.4;
const fontPx = 14;

/** A SceneUpdate of a recorded message of objects: an entity each, which replaces the one of its id before. */
export function boxesMessage(recorded: Uint8Array): Uint8Array {
  const { detections } = decodeRos<Detections>('vision_msgs/msg/Detection3DArray', recorded);
  const entities = detections.map(({ header, results, bbox: { center, size }, id }) => {
    const className = results[0]?.hypothesis.class_id ?? '';
    const { x, y, z } = center.position;
    return {
      timestamp: { sec: header.stamp.sec, nsec: header.stamp.nanosec },
      frame_id: header.frame_id,
      id,
      lifetime: { sec: 0, nsec: 0 },
      frame_locked: false,
      metadata: [{ key: 'class', value: className }],
      cubes: [{ pose: center, size, color: { r: 1, g: 0.62, b: 0.35, a: 0.4 } }],
      texts: [
        {
          pose: {
            position: { x, y, z: z + size.z / 2 + aboveM },
            orientation: { x: 0, y: 0, z: 0, w: 1 },
          },
          billboard: true,
          font_size: fontPx,
          scale_invariant: true,
          color: { r: 1, g: 1, b: 1, a: 1 },
          text: className === '' ? id : `${id} · ${className}`,
        },
      ],
    };
  });
  return new TextEncoder().encode(JSON.stringify({ deletions: [], entities }));
}
