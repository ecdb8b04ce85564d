// HELIOS++ scenes and surveys: parts with their turns, scales and shifts, legs of a tripod and of an aircraft.
import { describe, expect, it } from 'vitest';
import type { Parsed } from '#contract/documents/problems.ts';
import { importHelios, type HeliosFiles } from '#domain/import/helios/importHelios.ts';
import { parseXml } from '#domain/import/helios/xml.ts';
import type { ImportedScene } from '#domain/import/importedScene.ts';

const part = (filters: string, up = '') =>
  `<part><filter type="objloader"><param type="string" key="filepath" value="data/cube.obj"/>${up}</filter>${filters}</part>`;
const turned = (axis: string, angle: number) =>
  `<filter type="rotate"><param type="rotation" key="rotation"><rot axis="${axis}" angle_deg="${angle}"/></param></filter>`;
const sceneOf = (parts: string) =>
  `<?xml version="1.0"?><document><!-- x --><scene id="yard" name="Yard">${parts}</scene></document>`;
const scaled = '<filter type="scale"><param type="double" key="scale" value="0.5"/></filter>';
const shifted =
  '<filter type="translate"><param type="vec3" key="offset" value="474500;5474500;10"/></filter>';
const surveyOf = (legs: string, platform = 'tripod', scanner = 'riegl_vz400') => `<document>
  <scannerSettings id="p" active="true" pulseFreq_hz="100000" headRotatePerSec_deg="10"/>
  <platformSettings id="fly" movePerSec_m="30" z="100"/>
  <survey name="s" scene="data/yard.xml#yard" platform="data/platforms.xml#${platform}"
    scanner="data/scanners.xml#${scanner}">${legs}</survey></document>`;

const texts: Record<string, string> = {
  'data/yard.xml': sceneOf(part('')),
  'data/platforms.xml':
    '<document><platform id="tripod"><scannerMount x="0" y="0" z="1.5"/></platform><platform id="sr22"><scannerMount x="0.2" y="0.5" z="0.7"/></platform></document>',
};
const files: HeliosFiles = {
  readXml: (name) => {
    const text = texts[name];
    return Promise.resolve(text === undefined ? null : parseXml(text));
  },
  findMesh: (name) =>
    Promise.resolve(
      name === 'data/cube.obj' ? { file: '../cube.obj', materials: [], colours: {} } : null,
    ),
  readMesh: () => Promise.resolve(new Uint8Array()),
};

async function importText(text: string): Promise<Parsed<ImportedScene>> {
  const document = parseXml(text);
  return document.value === null ? document : importHelios(document.value, files, 'plot');
}

async function imported(text: string): Promise<ImportedScene> {
  const { value, problems } = await importText(text);
  expect(problems).toEqual([]);
  if (value === null) throw new Error('not imported');
  return value;
}

async function problemOf(text: string): Promise<string> {
  const { problems } = await importText(text);
  return `${problems[0]?.path}: ${problems[0]?.message}`;
}

describe('importHelios of a scene', () => {
  it('turns, then scales, then shifts, in whatever order the filters stand', async () => {
    for (const filters of [
      turned('z', 45) + scaled + shifted,
      shifted + scaled + turned('z', 45),
    ]) {
      expect((await imported(sceneOf(part(filters)))).instances).toEqual([
        {
          name: 'cube',
          model: 'cube',
          positionM: [474500, 5474500, 10],
          onGround: false,
          yawDeg: 45,
          scale: 0.5,
        },
      ]);
    }
  });

  it('reads the up axis, one model for each', async () => {
    const up = '<param type="string" key="up" value="y"/>';
    const scene = await imported(sceneOf(part('') + part('', up) + part(scaled)));
    expect(Object.values(scene.models).map((model) => 'upAxis' in model && model.upAxis)).toEqual([
      'z',
      'y',
    ]);
    expect(scene.instances.map(({ model }) => model)).toEqual(['cube', 'cube-2', 'cube']);
  });

  it('turns about fixed axes one after another', async () => {
    const rots = '<rot axis="x" angle_deg="90"/><rot axis="z" angle_deg="90"/>';
    const filter = `<filter type="rotate"><param type="rotation" key="rotation">${rots}</param></filter>`;
    expect((await imported(sceneOf(part(filter)))).instances[0]).toMatchObject({
      rollDeg: 90,
      yawDeg: 90,
    });
  });

  it('counts parts of other loaders', async () => {
    const tiff =
      '<part><filter type="geotiffloader"><param key="filepath" value="a.tif"/></filter></part>';
    expect((await imported(sceneOf(tiff + part('')))).ignored).toEqual([
      { what: 'parts by geotiffloader', count: 1 },
    ]);
  });

  it('refuses with the place', async () => {
    expect(await problemOf('<a><b></a>')).toMatch(/^line 1: expected XML/);
    expect(await problemOf('<!DOCTYPE x [<!ENTITY a "b">]><document/>')).toContain('DOCTYPE');
    expect(await problemOf('<document/>')).toContain('expected a survey or a scene');
    expect(await problemOf(sceneOf(part(turned('q', 4))))).toContain(
      'scene: part 1: expected an axis',
    );
    expect(await problemOf(sceneOf(part('').replace('cube.obj', 'cube.ply')))).toBe(
      "scene: part 1: expected an OBJ, found 'data/cube.ply'",
    );
    expect(await problemOf(sceneOf(part('').replace('cube', 'no')))).toContain(
      "found no 'data/no.obj'",
    );
    expect(await problemOf(surveyOf('').replace('#yard', '#field'))).toContain(
      "expected a scene 'field' in data/yard.xml, found yard",
    );
  });
});

describe('importHelios of a survey', () => {
  it('makes positions of the legs of a tripod', async () => {
    const leg = (x: number, more = '') =>
      `<leg><platformSettings x="${x}" y="25.5" onGround="true"/><scannerSettings template="p" headRotateStart_deg="0" headRotateStop_deg="360"${more}/></leg>`;
    const scene = await imported(surveyOf(leg(1) + leg(-4) + leg(9, ' active="false"')));
    // 360° at 10° per second.
    expect(scene.survey).toEqual({
      kind: 'positions',
      sensor: 'scanner',
      seconds: 36,
      above: 'ground',
      positions: [{ positionM: [1, 25.5, 0] }, { positionM: [-4, 25.5, 0] }],
    });
    expect(scene.notes.join('\n')).toContain('legs on the ground stand on scene.ground');
    expect(scene.sensors).toEqual([
      { name: 'scanner', sensor: 'vz-400', mount: { positionM: [0, 0, 1.5] } },
    ]);
    expect(scene.imported).toContainEqual({ what: 'positions', count: 2 });
    expect(scene.ignored).toContainEqual({ what: 'legs that do not scan', count: 1 });
    expect(scene.ignored).toContainEqual({
      what: 'settings pulseFreq_hz (see the sensor file)',
      count: 3,
    });
  });

  it('makes strips from each active leg to the next', async () => {
    const leg = (x: number, y: number, isActive: boolean) =>
      `<leg><platformSettings template="fly" x="${x}" y="${y}"/><scannerSettings template="p" active="${isActive}"/></leg>`;
    const legs = leg(-30, -50, true) + leg(70, -50, false) + leg(70, 0, true) + leg(-30, 0, false);
    const scene = await imported(surveyOf(legs, 'sr22', 'leica_als50'));
    expect(scene.files).toEqual([]);
    // 0.5 m ahead of the platform's origin and 0.2 m to its right; HELIOS++ moves along y.
    expect(scene.survey).toEqual({
      kind: 'strips',
      mount: { positionM: [0.5, -0.2, 0.7] },
      strips: [
        { fromM: [-30, -50], toM: [70, -50] },
        { fromM: [70, 0], toM: [-30, 0] },
      ],
      heightM: 100,
      above: 'zero',
      speedMPerS: 30,
    });
    expect(scene.imported).toContainEqual({ what: 'strips', count: 2 });
    expect(scene.notes.join('\n')).toContain(
      "scanner 'data/scanners.xml#leica_als50' is none of ours",
    );
  });

  it('puts legs on the ground at its height, and reports speeds and heights that differ', async () => {
    const tripod =
      '<leg><platformSettings x="1" y="2" z="7" onGround="1"/><scannerSettings/></leg>';
    const stands = await imported(surveyOf(tripod));
    expect(stands.survey).toMatchObject({ positions: [{ positionM: [1, 2, 0] }], seconds: 1 });
    expect(stands.ignored).toContainEqual({ what: 'heights of legs on the ground', count: 1 });

    const leg = (x: number, z: number, more = '') =>
      `<leg><platformSettings template="fly" x="${x}" y="0" z="${z}"${more}/><scannerSettings template="p"/></leg>`;
    const flown = await imported(surveyOf(leg(0, 100) + leg(50, 90) + leg(90, 90), 'sr22'));
    expect(flown.notes).toContain(
      'leg 2 has height and speed of the first strip: a survey has one of each',
    );
    expect(flown.ignored).toContainEqual({
      what: 'legs without speed or a distance to the next one',
      count: 1,
    });
  });

  it('refuses numbers that are none, with the leg', async () => {
    const leg = '<leg><platformSettings x="east"/><scannerSettings/></leg>';
    expect(await problemOf(surveyOf(leg))).toBe(
      "(file): leg 1: expected a number for x, found 'east'",
    );
  });
});
