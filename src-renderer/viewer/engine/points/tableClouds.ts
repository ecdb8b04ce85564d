// Clouds of points with intensity and class, which share one material: colours are looked up on the graphics card, so that
// another colouring costs nothing.
import { BufferAttribute, BufferGeometry, Points, Sphere, Vector2 } from 'three';
import type { ScaleName } from '#domain/shared/colours.ts';
import { cloudColourings, type CloudColouring } from '#renderer/logic/learn/modelColours.ts';
import type { CloudTable } from '#renderer/logic/learn/modelTables.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';
import type { ViewClip } from '../clip/clipUniforms.ts';
import { colourLookUp, createColourTextures } from '../colourTextures.ts';
import { createPointMaterial } from './pointMaterial.ts';

export interface TableClouds {
  /** Its geometry is freed by its owner. */
  create: (table: CloudTable) => Points<BufferGeometry>;
  colour: (by: CloudColouring, scale: ScaleName, range: ValueRange) => void;
  dispose: () => void;
}

/** @param scale of the size of points, 1 for a view of usual size */
export function createTableClouds(clip: ViewClip, scale: number): TableClouds {
  const textures = createColourTextures();
  const uniforms = {
    colourBy: { value: 0 },
    range: { value: new Vector2(0, 1) },
    scale: { value: textures.scales.viridis },
    classes: { value: textures.classes },
  };
  const material = createPointMaterial({
    uniforms,
    declarations,
    colour,
    sizePx: { atOneM: 60 * scale, min: 2 * scale, max: 5 * scale },
    liftM: 0.15,
    clip,
  });
  return {
    create({ positionsM, intensities, classIds }) {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(positionsM, 3));
      geometry.setAttribute('intensity', new BufferAttribute(intensities, 1));
      geometry.setAttribute('classId', new BufferAttribute(classIds, 1));
      // Why at once: three would look for them in all points.
      geometry.boundingSphere = new Sphere();
      const object = new Points(geometry, material);
      object.frustumCulled = false;
      object.matrixAutoUpdate = false;
      return object;
    },
    colour(by, scaleName, [from, to]) {
      uniforms.colourBy.value = cloudColourings.indexOf(by);
      uniforms.scale.value = textures.scales[scaleName];
      uniforms.range.value.set(from, to);
    },
    dispose() {
      material.dispose();
      textures.dispose();
    },
  };
}

const declarations = `
attribute float intensity;
attribute float classId;
uniform int colourBy;
${colourLookUp}`;

const colour = `
  float value = colourBy == 0 ? position.z : intensity;
  pointColour = colourBy == 2 ? classColour(classId) : isnan(value) ? vec3(0.5) : scaleColour(value);`;
