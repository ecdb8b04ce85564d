/** A sensor file: an image of 101 by 101 rays without divergence, over 1.2 m to each side of the axis 5 m ahead. */
export const rayCamera = `
understorySensor: 3
id: camera
name: Camera
source: none
scan: { kind: image, rateHz: 10, columns: 101, rows: 101, horizontalFovDeg: 27 }
range: { minM: 0, maxM: 100 }
beam: { shape: circular, divergenceHorizontalMrad: 0, divergenceVerticalMrad: 0, stencil: rays, rays: { count: 1 } }
returns: { mode: strongest, signalCutoffM: 0 }
`;
