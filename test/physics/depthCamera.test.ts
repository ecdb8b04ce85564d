// `understory depth` against closed forms, pixel by pixel: a plane and a sphere seen by a pinhole camera.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { beforeEach, describe, expect, it } from 'vitest';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { runHere } from '#test/support/commandLine.ts';
import { readNpy } from '#test/recordings/readNpy.ts';
import { temporaryFolder } from '#test/support/folder.ts';

type Vector = readonly [number, number, number];

const [widthPx, heightPx, fovDeg, pitchDeg, heightM] = [160, 90, 70, 12, 1.4];
const sphere = { centreM: [5, 0.8, 1.2] as Vector, radiusM: 1 };
const scenario = `
understory: 2
name: Plane and sphere
scene:
  materials: { grey: { reflectance: 0.5 } }
  models: { ball: { kind: sphere, radiusM: ${sphere.radiusM}, rings: 256, material: grey } }
  ground: { kind: plane, sizeM: [4000, 4000], material: grey }
  instances: [{ name: ball, model: ball, positionM: [${sphere.centreM.join(', ')}], onGround: false }]
`;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, 'scene.understory.yaml'), scenario);
});

async function depthMap(out: string, ...more: string[]): Promise<{ file: string; stdout: string }> {
  const scene = join(folder, 'scene.understory.yaml');
  const camera = ['--pose', `0,0,${heightM},0,${pitchDeg}`, '--size', `${widthPx}x${heightPx}`];
  const args = [...camera, '--fov-deg', String(fovDeg), '--out', out, '--json', ...more];
  const { exitCode, stdout, stderr } = await runHere(folder, 'depth', scene, ...args);
  expect(exitCode, stderr).toBe(0);
  return { file: join(folder, out), stdout };
}

/** The ray of a pixel in the world, as long as it takes to go 1 m ahead of the camera's plane. */
function rayOf(row: number, column: number): Vector {
  const pixel = (2 * Math.tan((fovDeg * Math.PI) / 360)) / widthPx;
  const left = ((widthPx - 1) / 2 - column) * pixel;
  const up = ((heightPx - 1) / 2 - row) * pixel;
  const pitch = (pitchDeg * Math.PI) / 180;
  return [Math.cos(pitch) + up * Math.sin(pitch), left, -Math.sin(pitch) + up * Math.cos(pitch)];
}

/** Lengths along the ray in units of it: nearest of plane and sphere, NaN for neither. */
function closedForm(ray: Vector): { depthM: number; cosine: number; what: 'plane' | 'sphere' } {
  const toCentre: Vector = [sphere.centreM[0], sphere.centreM[1], sphere.centreM[2] - heightM];
  const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const [a, b, c] = [
    dot(ray, ray),
    dot(ray, toCentre),
    dot(toCentre, toCentre) - sphere.radiusM ** 2,
  ];
  const root = b * b - a * c;
  const onSphere = root < 0 ? NaN : (b - Math.sqrt(root)) / a;
  const onPlane = ray[2] < 0 ? -heightM / ray[2] : NaN;
  const isSphere = onSphere < (Number.isNaN(onPlane) ? Infinity : onPlane);
  return isSphere
    ? { depthM: onSphere, cosine: Math.sqrt(root / a) / sphere.radiusM, what: 'sphere' }
    : { depthM: onPlane, cosine: 1, what: 'plane' };
}

describe('a depth map', () => {
  it.each(['planar', 'ray'])('has the %s depths of plane and sphere', async (kind) => {
    const { file } = await depthMap('depth.npy', '--kind', kind);
    const { shape, descr, values } = readNpy(readFileSync(file));
    expect([shape, descr]).toEqual([[heightPx, widthPx], '<f4']);
    const counts = { plane: 0, sphere: 0, nothing: 0 };
    // The limb of the sphere is left out: its facets lie up to 0.1 mm within it, seen at an angle.
    const [minCosine, facetsM] = [0.2, 1e-4];
    for (let row = 0; row < heightPx; row += 1) {
      for (let column = 0; column < widthPx; column += 1) {
        const ray = rayOf(row, column);
        const { depthM, cosine, what } = closedForm(ray);
        const lengthM = depthM * Math.hypot(...ray);
        const found = values[row * widthPx + column] ?? 0;
        if (cosine < minCosine) continue;
        if (Number.isNaN(depthM) || lengthM > 1000) {
          expect(found).toBeNaN();
          counts.nothing += 1;
          continue;
        }
        const expected = kind === 'ray' ? lengthM : depthM;
        // Single precision: direction and origin are right to 2^-23 or so, which a ray that grazes the
        // plane at an angle of g stretches by 1/sin g.
        const grazing = what === 'plane' ? heightM / lengthM : 1;
        const tolerance = (4e-7 * lengthM) / grazing + (what === 'sphere' ? facetsM / cosine : 0);
        expect(Math.abs(found - expected)).toBeLessThan(tolerance);
        counts[what] += 1;
      }
    }
    expect(counts.sphere).toBeGreaterThan(500);
    expect(counts.plane).toBeGreaterThan(5000);
    expect(counts.nothing).toBeGreaterThan(2000);
  });

  it('as a PNG has the same depths in steps, 0 for nothing, and says what was clipped', async () => {
    const { values } = readNpy(readFileSync((await depthMap('depth.npy')).file));
    const stepMm = 0.05;
    const { file, stdout } = await depthMap('depth.png', '--step-mm', String(stepMm));
    const { width, height, data, depth, channels, text } = decode(readFileSync(file));
    expect([width, height, depth, channels]).toEqual([widthPx, heightPx, 16, 1]);
    expect(text['Description']).toContain('0.00005 m');
    let clipped = 0;
    for (const [index, depthM] of values.entries()) {
      const steps = Math.round((depthM / stepMm) * 1000);
      const expected = Number.isNaN(depthM) ? 0 : Math.min(65535, steps);
      if (steps > 65535) clipped += 1;
      expect(Math.abs((data[index] ?? NaN) - expected)).toBeLessThanOrEqual(1);
      if (Number.isNaN(depthM)) expect(data[index]).toBe(0);
    }
    // 16 bits of 0.05 mm are 3.3 m: the sphere begins at 4.1 m.
    expect(clipped).toBeGreaterThan(500);
    expect((JSON.parse(stdout) as { clipped: number }).clipped).toBe(clipped);
  });

  it.each([
    ['a file of another kind', ['--out', 'depth.tif'], 'out'],
    ['a step of nothing', ['--out', 'depth.png', '--step-mm', '0'], 'step-mm'],
    ['more pixels than can be kept', ['--out', 'a.npy', '--size', '16384x16384'], 'widthPx'],
    ['a field of view of half a turn', ['--out', 'a.npy', '--fov-deg', '180'], 'horizontalFovDeg'],
  ])('refuses %s', async (_, args, path) => {
    const file = join(folder, 'scene.understory.yaml');
    const result = await runHere(folder, 'depth', file, '--pose', '0,0,1,0', ...args);
    expect(result.exitCode).toBe(exitCodeOfCode('bad-input'));
    expect(result.stderr).toContain(`  ${path}: `);
  });

  it('ends at the first surface, whatever light does there', async () => {
    const { file: ofGrey } = await depthMap('grey.npy');
    for (const fields of [
      'reflectance: 0, surface: { kind: glass }',
      'reflectance: 0, surface: { kind: water }',
      'reflectance: 0, surface: { kind: mirror }',
      'reflectance: 0.5, gapFraction: 0.9',
    ]) {
      const other = scenario.replace('{ reflectance: 0.5 }', `{ ${fields} }`);
      writeFileSync(join(folder, 'scene.understory.yaml'), other);
      const { file } = await depthMap('other.npy', '--force');
      expect(readFileSync(file).equals(readFileSync(ofGrey)), fields).toBe(true);
    }
  });
});
