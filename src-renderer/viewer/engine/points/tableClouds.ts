// Clouds of points with intensity, class and, where they have them, colour and distances to another cloud, which share one
// material: colours are looked up on the graphics card, so that another colouring costs nothing.
import { BufferAttribute, BufferGeometry, Points, Sphere, Vector3 } from 'three';
import type { Rgb } from '#domain/shared/colours.ts';
import {
  noPoints,
  tableColourings,
  type CloudTable,
  type TableColouring,
} from '#renderer/logic/cloud/cloudTable.ts';
import type { ViewClip } from '../clip/clipUniforms.ts';
import { colourLookUp } from '../colourTextures.ts';
import { createPointColours, type PointColours } from './pointColours.ts';
import { createPointMaterial } from './pointMaterial.ts';

/** One of the values of points, or `ownColour`. */
export type DrawnColouring = TableColouring | 'own';

export interface TableClouds {
  /** Its geometry is freed by its owner. */
  create: (table: CloudTable) => Points<BufferGeometry>;
  /** The table that the geometry was made of. */
  tableOf: (geometry: BufferGeometry) => CloudTable;
  colour: PointColours<DrawnColouring>['set'];
  setOwnColour: (rgb: Rgb) => void;
  dispose: () => void;
}

/** @param scale of the size of points, 1 for a view of usual size */
export function createTableClouds(clip: ViewClip, scale: number): TableClouds {
  const colours = createPointColours<DrawnColouring>([...tableColourings, 'own']);
  const tables = new WeakMap<BufferGeometry, CloudTable>();
  const own = { value: new Vector3(1, 1, 1) };
  const material = createPointMaterial({
    uniforms: { ...colours.uniforms, own },
    declarations,
    colour,
    sizePx: { atOneM: 60 * scale, min: 2 * scale, max: 5 * scale },
    liftM: 0.15,
    clip,
  });
  return {
    create(table) {
      const { positionsM, intensities, classIds, colours: rgb, distancesM } = table;
      const geometry = new BufferGeometry();
      tables.set(geometry, table);
      geometry.setAttribute('position', new BufferAttribute(positionsM, 3));
      geometry.setAttribute('intensity', new BufferAttribute(intensities, 1));
      geometry.setAttribute('classId', new BufferAttribute(classIds, 1));
      if (rgb !== null) geometry.setAttribute('rgb', new BufferAttribute(rgb, 3, true));
      if (distancesM !== null) {
        geometry.setAttribute('distance', new BufferAttribute(distancesM, 1));
      }
      // Why at once: three would look for them in all points.
      geometry.boundingSphere = new Sphere();
      const object = new Points(geometry, material);
      object.frustumCulled = false;
      object.matrixAutoUpdate = false;
      return object;
    },
    tableOf: (geometry) => tables.get(geometry) ?? noPoints,
    colour: colours.set,
    setOwnColour: (rgb) => void own.value.set(...rgb).divideScalar(255),
    dispose() {
      material.dispose();
      colours.dispose();
    },
  };
}

const declarations = `
attribute float intensity;
attribute float classId;
attribute vec3 rgb;
attribute float distance;
uniform int colourBy;
uniform vec3 own;
${colourLookUp}`;

const colour = `
  float value = colourBy == 0 ? position.z : colourBy == 4 ? distance : intensity;
  pointColour = colourBy == 5 ? own : colourBy == 3 ? rgb : colourBy == 2 ? classColour(classId) : isnan(value) ? vec3(0.5) : scaleColour(value);`;
