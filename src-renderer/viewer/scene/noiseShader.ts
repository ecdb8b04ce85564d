/** GLSL: smooth noise from 0 to 1 over a plane, with cells of side 1. */
export const noiseDeclarations = `
float chance(vec2 cell) {
  return fract(sin(dot(cell, vec2(127.1, 311.7))) * 43758.5453);
}
float noise(vec2 at) {
  vec2 cell = floor(at);
  vec2 f = fract(at);
  f = f * f * (3.0 - 2.0 * f);
  return mix(
    mix(chance(cell), chance(cell + vec2(1.0, 0.0)), f.x),
    mix(chance(cell + vec2(0.0, 1.0)), chance(cell + vec2(1.0, 1.0)), f.x), f.y);
}`;
