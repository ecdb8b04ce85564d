// Shaders of sky occlusion. The share of the sky that a place sees is integrated over slices through the view ray, as
// in Jimenez et al. 2016, "Practical real-time strategies for accurate indirect occlusion" (GTAO, eqs. 5 to 7). What
// hides the sky in a slice is collected in 32 sectors, as in Therrien et al. 2023, "Screen space indirect lighting with
// visibility bitmask". Why sectors, not a horizon: behind a leaf there is sky again.

/** GLSL: the sky within a slice. Angles in a slice are those to the view ray, −π/2 to π/2. */
export const sliceDeclarations = `
// Integral of cos(t - normal) * |sin(t)| from 0 to angle, which is positive (GTAO, eq. 7).
float arc(float angle, float normal) {
  return 0.25 * (cos(normal) - cos(2.0 * angle - normal) + 2.0 * angle * sin(normal));
}
// The same from 0 to an angle of either sign; negative there.
float signedArc(float angle, float normal) {
  return angle >= 0.0 ? arc(angle, normal) : -arc(-angle, -normal);
}
// Light of an even sky from a slice: the weight of the slice among others.
float sliceLight(float normal) {
  return signedArc(normal + 1.5707963, normal) - signedArc(normal - 1.5707963, normal);
}
// Share of that light from below an angle.
float lightBelow(float angle, float normal) {
  float from = normal - 1.5707963;
  float bounded = min(max(angle, from), normal + 1.5707963);
  return (signedArc(bounded, normal) - signedArc(from, normal)) / sliceLight(normal);
}`;

const depthDeclarations = `
uniform sampler2D depths;
uniform vec2 nearFar;
uniform vec2 tanHalf;
uniform vec2 screenPx;
float depthAt(ivec2 pixel) {
  return texelFetch(depths, clamp(pixel, ivec2(0), ivec2(screenPx) - 1), 0).r;
}
float awayM(float depth) {
  return nearFar.x * nearFar.y / (nearFar.y - depth * (nearFar.y - nearFar.x));
}
float awayAt(ivec2 pixel) {
  return awayM(depthAt(pixel));
}
// The smaller of two differences: across an edge, that on this side of it.
float smaller(float a, float b) {
  return abs(a) < abs(b) ? a : b;
}`;

/** Share of the sky's light, and the logarithm of the distance in 16 bits, for every second pixel along each side. */
export const occlusionFragmentShader = `
${depthDeclarations}
${sliceDeclarations}
uniform float radiusM;
uniform float thicknessM;
uniform float pixelsPerRad;
const int slices = 2;
const int steps = 5;
vec3 placeOf(ivec2 pixel, float away) {
  vec2 onScreen = (vec2(pixel) + 0.5) / screenPx * 2.0 - 1.0;
  return vec3(onScreen * tanHalf, -1.0) * away;
}
vec3 placeAt(ivec2 pixel) {
  return placeOf(pixel, awayAt(pixel));
}
vec3 nearer(vec3 a, vec3 b) {
  return abs(a.z) < abs(b.z) ? a : b;
}
vec3 normalAt(ivec2 pixel, vec3 place) {
  ivec2 right = ivec2(1, 0);
  vec3 x = nearer(placeAt(pixel + right) - place, place - placeAt(pixel - right));
  vec3 y = nearer(placeAt(pixel + right.yx) - place, place - placeAt(pixel - right.yx));
  return normalize(cross(x, y));
}
// 0 to 15, each once in four by four pixels, neighbours far apart.
float orderOf(ivec2 pixel) {
  ivec2 p = pixel & 3;
  int low = ((p.x ^ p.y) & 1) * 2 + (p.y & 1);
  int high = (((p.x ^ p.y) >> 1) & 1) * 2 + ((p.y >> 1) & 1);
  return float(low * 4 + high);
}
uint bitsOf(float from, float to, float chance) {
  uint low = uint(clamp(floor(from * 32.0 + chance), 0.0, 32.0));
  uint high = uint(clamp(floor(to * 32.0 + chance), 0.0, 32.0));
  uint count = high > low ? high - low : 0u;
  if (count == 0u) return 0u;
  return (0xffffffffu >> (32u - count)) << low;
}
float countOf(uint bits) {
  bits = bits - ((bits >> 1) & 0x55555555u);
  bits = (bits & 0x33333333u) + ((bits >> 2) & 0x33333333u);
  return float((((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24);
}
// The sectors of a slice that a place hides, to one side (1 or -1) of the view ray.
uint hiddenBy(vec3 other, vec3 place, vec3 towards, float side, float normal, float reachM, float chance) {
  vec3 front = other - place;
  float distanceM = length(front);
  float nearness = 1.0 - distanceM * distanceM / (reachM * reachM);
  if (nearness <= 0.0 || distanceM < 1e-4) return 0u;
  vec3 back = front - towards * thicknessM * nearness;
  float a = lightBelow(side * acos(clamp(dot(front, towards) / distanceM, -1.0, 1.0)), normal);
  float b = lightBelow(side * acos(clamp(dot(back, towards) / length(back), -1.0, 1.0)), normal);
  return bitsOf(min(a, b), max(a, b), chance);
}
float skyAt(ivec2 pixel, float away) {
  float radiusPx = min(radiusM * pixelsPerRad / away, 0.2 * screenPx.y);
  float isLarge = smoothstep(2.0, 5.0, radiusPx);
  if (isLarge <= 0.0) return 1.0;
  float reachM = radiusPx * away / pixelsPerRad;
  vec3 place = placeOf(pixel, away);
  vec3 towards = normalize(-place);
  vec3 normal = normalAt(pixel, place);
  float order = orderOf(pixel / 2);
  float light = 0.0;
  float seen = 0.0;
  for (int slice = 0; slice < slices; slice += 1) {
    float azimuth = (float(slice) + (order + 0.5) / 16.0) * 3.1415927 / float(slices);
    vec2 along = vec2(cos(azimuth), sin(azimuth));
    vec3 direction = vec3(along, 0.0);
    vec3 across = direction - towards * dot(direction, towards);
    vec3 axis = normalize(cross(direction, towards));
    vec3 inSlice = normal - axis * dot(normal, axis);
    float share = length(inSlice);
    if (share < 1e-3) continue;
    float angle = sign(dot(across, inSlice)) * acos(clamp(dot(inSlice, towards) / share, -1.0, 1.0));
    angle = clamp(angle, -1.55, 1.55);
    uint hidden = 0u;
    for (int step = 0; step < steps; step += 1) {
      float chance = fract((order * 5.0 + float(slice) * 8.0) / 16.0 + float(step) * 0.618034);
      float part = (float(step) + chance) / float(steps);
      vec2 offset = along * max(part * part * radiusPx, 1.5 + float(step));
      for (float side = -1.0; side < 2.0; side += 2.0) {
        ivec2 at = pixel + ivec2(round(side * offset));
        if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, ivec2(screenPx)))) continue;
        hidden |= hiddenBy(placeAt(at), place, towards, side, angle, reachM, chance);
      }
    }
    float weight = share * sliceLight(angle);
    light += weight;
    seen += weight * (1.0 - countOf(hidden) / 32.0);
  }
  return light > 0.0 ? mix(1.0, seen / light, isLarge) : 1.0;
}
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy) * 2;
  float depth = depthAt(pixel);
  if (depth >= 1.0) {
    gl_FragColor = vec4(1.0);
    return;
  }
  float away = awayM(depth);
  float octaves = 65535.0 * log2(away / nearFar.x) / log2(nearFar.y / nearFar.x);
  float high = floor(octaves / 256.0);
  gl_FragColor = vec4(skyAt(pixel, away), high / 255.0, floor(octaves - 256.0 * high) / 255.0, 1.0);
}`;

/**
 * The drawn surfaces with less of the sky's light. Its share is smoothed over the sixteen nearest places of the same
 * plane: their directions complete one another.
 */
export const shadedFragmentShader = `
${depthDeclarations}
uniform sampler2D colours;
uniform sampler2D occlusion;
float skyAt(ivec2 pixel, float away) {
  // On a plane the inverse of the distance changes evenly over the screen.
  float own = 1.0 / away;
  vec2 slope = vec2(
    smaller(1.0 / awayAt(pixel + ivec2(1, 0)) - own, own - 1.0 / awayAt(pixel - ivec2(1, 0))),
    smaller(1.0 / awayAt(pixel + ivec2(0, 1)) - own, own - 1.0 / awayAt(pixel - ivec2(0, 1))));
  ivec2 low = (pixel - 1) / 2 - 1;
  ivec2 last = textureSize(occlusion, 0) - 1;
  float octaves = log2(nearFar.y / nearFar.x) / 65535.0;
  float sum = 0.0;
  float weights = 1e-6;
  float nearest = 1.0;
  float nearestM = 1e9;
  for (int tap = 0; tap < 16; tap += 1) {
    ivec2 at = clamp(low + ivec2(tap & 3, tap >> 2), ivec2(0), last);
    vec4 there = texelFetch(occlusion, at, 0);
    float thereM = nearFar.x * exp2((there.g * 255.0 * 256.0 + there.b * 255.0) * octaves);
    float planeM = 1.0 / max(own + dot(slope, vec2(at * 2 - pixel)), 1.0 / nearFar.y);
    float offM = abs(thereM - planeM);
    float weight = max(1.0 - offM / (0.12 + 0.01 * away), 0.0);
    sum += weight * there.r;
    weights += weight;
    if (offM < nearestM) {
      nearest = there.r;
      nearestM = offM;
    }
  }
  return (sum + 1e-6 * nearest) / weights;
}
void main() {
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  vec4 drawn = texelFetch(colours, pixel, 0);
  float depth = depthAt(pixel);
  float sky = drawn.a < 1.0 && depth < 1.0 ? skyAt(pixel, awayM(depth)) : 1.0;
  gl_FragColor = vec4(drawn.rgb * (1.0 - (1.0 - drawn.a) * (1.0 - sky)), 1.0);
  gl_FragDepth = depth;
  #include <colorspace_fragment>
}`;
