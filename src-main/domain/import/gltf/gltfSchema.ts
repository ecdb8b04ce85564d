// The JSON of a glTF 2.0 (Khronos, chapter 5): what is read of it, with the type of each property. References and sizes
// are checked in gltfChecks.ts.
import { z } from 'zod';

const index = z.int().nonnegative();
const bytes = z.int().nonnegative();
const name = z.string().optional();
const numbers = (count: number) => z.array(z.number()).length(count).optional();
const textureInfo = z.looseObject({ index, texCoord: index.optional() }).optional();
const dropped = z
  .unknown()
  .transform(() => undefined)
  .optional();

/** Bytes of a component, by its type. */
export const componentBytes = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 } as const;
/** Numbers of an element, by its type. */
export const componentsOf = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
} as const;

const componentType = z.literal([5120, 5121, 5122, 5123, 5125, 5126]);

const accessor = z.looseObject({
  name,
  bufferView: index.optional(),
  byteOffset: bytes.optional(),
  componentType,
  normalized: z.boolean().optional(),
  count: z.int().positive(),
  type: z.enum(['SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4']),
  sparse: z
    .looseObject({
      count: z.int().positive(),
      indices: z.looseObject({
        bufferView: index,
        byteOffset: bytes.optional(),
        componentType: z.literal([5121, 5123, 5125]),
      }),
      values: z.looseObject({ bufferView: index, byteOffset: bytes.optional() }),
    })
    .optional(),
});

const material = z.looseObject({
  name,
  pbrMetallicRoughness: z
    .looseObject({
      baseColorFactor: numbers(4),
      metallicFactor: z.number().optional(),
      roughnessFactor: z.number().optional(),
      baseColorTexture: textureInfo,
      metallicRoughnessTexture: textureInfo,
    })
    .optional(),
  normalTexture: textureInfo,
  occlusionTexture: textureInfo,
  emissiveTexture: textureInfo,
  emissiveFactor: numbers(3),
  alphaMode: z.enum(['OPAQUE', 'MASK', 'BLEND']).optional(),
  alphaCutoff: z.number().optional(),
  doubleSided: z.boolean().optional(),
});

const primitive = z.looseObject({
  attributes: z.record(z.string(), index),
  indices: index.optional(),
  material: index.optional(),
  mode: z.int().min(0).max(6).optional(),
  extensions: z
    .looseObject({
      KHR_draco_mesh_compression: z
        .looseObject({ bufferView: index, attributes: z.record(z.string(), z.int()) })
        .optional(),
    })
    .optional(),
  targets: z.array(z.unknown()).optional(),
});

/** Moving parts are counted and not read: animations, skins, cameras, morph targets. */
export const gltfSchema = z.looseObject({
  asset: z.looseObject({
    version: z.string().startsWith('2.', 'expected glTF 2.0'),
    minVersion: z.literal('2.0').optional(),
  }),
  extensionsUsed: z.array(z.string()).optional(),
  extensionsRequired: z.array(z.string()).optional(),
  extensions: z.record(z.string(), z.unknown()).optional(),
  scene: index.optional(),
  scenes: z.array(z.looseObject({ name, nodes: z.array(index).optional() })).optional(),
  nodes: z
    .array(
      z.looseObject({
        name,
        mesh: index.optional(),
        children: z.array(index).optional(),
        matrix: numbers(16),
        translation: numbers(3),
        rotation: numbers(4),
        scale: numbers(3),
        camera: dropped,
        skin: dropped,
        weights: dropped,
        extensions: z
          .looseObject({
            EXT_mesh_gpu_instancing: z
              .looseObject({ attributes: z.record(z.string(), index) })
              .optional(),
          })
          .optional(),
      }),
    )
    .optional(),
  meshes: z
    .array(z.looseObject({ name, weights: dropped, primitives: z.array(primitive).min(1) }))
    .optional(),
  materials: z.array(material).optional(),
  textures: z.array(z.looseObject({ name, source: index.optional() })).optional(),
  images: z
    .array(
      z.looseObject({
        name,
        uri: z.string().optional(),
        mimeType: z.string().optional(),
        bufferView: index.optional(),
      }),
    )
    .optional(),
  accessors: z.array(accessor).optional(),
  bufferViews: z
    .array(
      z.looseObject({
        name,
        buffer: index,
        byteOffset: bytes.optional(),
        byteLength: z.int().positive(),
        byteStride: z.int().min(4).max(252).optional(),
        extensions: z
          .looseObject({
            EXT_meshopt_compression: z
              .looseObject({
                buffer: index,
                byteOffset: bytes.optional(),
                byteLength: bytes,
                byteStride: z.int().min(1).max(256),
                count: z.int().nonnegative(),
              })
              .optional(),
          })
          .optional(),
      }),
    )
    .optional(),
  buffers: z
    .array(
      z.looseObject({
        name,
        uri: z.string().optional(),
        byteLength: bytes,
        extensions: z
          .looseObject({
            EXT_meshopt_compression: z.looseObject({ fallback: z.boolean().optional() }).optional(),
          })
          .optional(),
      }),
    )
    .optional(),
  animations: z.array(z.unknown()).optional(),
  skins: z.array(z.unknown()).optional(),
  cameras: z.array(z.unknown()).optional(),
});

export type Gltf = z.output<typeof gltfSchema>;
export type GltfAccessor = z.output<typeof accessor>;
