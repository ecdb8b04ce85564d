// The selected point of a shape on the ground: keys are for it, not for the part that has it.
import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import type { ShapePoint } from '#renderer/viewer/scene/shapeMarks.ts';

export const useHeldPoint = defineStore('heldPoint', () => {
  const point = shallowRef<ShapePoint | null>(null);
  return { point };
});
