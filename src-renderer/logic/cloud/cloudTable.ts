// Points of a cloud in columns, and what they can be coloured by.

export interface CloudTable {
  positionsM: Float32Array;
  intensities: Float32Array;
  classIds: Uint16Array;
}

export const cloudColourings = ['height', 'intensity', 'class'] as const;
export type CloudColouring = (typeof cloudColourings)[number];
