// MAVS scenes: keys as its loader reads them; what has no place in a scenario is counted.
import { describe, expect, it } from 'vitest';
import type { ForeignFiles } from '#domain/import/foreignMeshes.ts';
import type { ImportedScene } from '#domain/import/importedScene.ts';
import { mavsScene } from '#domain/import/mavs/mavsScene.ts';

const mesh = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl bark\nf 1 2 3\n';

function filesOf(known: readonly string[], asked: string[] = []): ForeignFiles {
  return {
    findMesh: (name) => {
      asked.push(name);
      const found = { file: `../${name}`, materials: ['bark'], colours: { bark: '#102030' } };
      return Promise.resolve(known.includes(name) ? found : null);
    },
    readMesh: () => Promise.resolve(new TextEncoder().encode(mesh)),
  };
}

async function imported(data: object, known = ['tree.obj', 'ground.obj']): Promise<ImportedScene> {
  const { value, problems } = await mavsScene(data, filesOf(known), 'plot');
  expect(problems).toEqual([]);
  if (value === null) throw new Error('not imported');
  return value;
}

function textOf(scene: ImportedScene, name: string): string {
  const content = scene.files.find((file) => file.name === name)?.content;
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}

const half = Math.PI / 2;

describe('mavsScene', () => {
  it('makes instances and scatters of objects', async () => {
    const scene = await imported({
      Objects: [
        {
          Mesh: 'tree.obj',
          'Rotate Y to Z': true,
          Instances: [{ Position: [1, 2, 3], Scale: [2, 2, 2] }],
          Random: {
            Number: 20,
            Polygon: [
              [-5, -50],
              [5, -50],
              [5, 50],
            ],
            Offset: [1, 0, -0.1],
            Scale: [1, 1.5],
            'Minimum Spacing': 2,
          },
        },
      ],
    });
    expect(scene.models).toEqual({
      tree: {
        kind: 'mesh',
        file: '../tree.obj',
        unit: 'm',
        upAxis: 'y',
        material: 'bark',
        materials: { bark: 'bark' },
      },
    });
    expect(scene.materials).toEqual({ bark: { reflectance: 0.3, colour: '#102030' } });
    expect(scene.instances).toEqual([
      { name: 'tree', model: 'tree', positionM: [1, 2, 3], onGround: false, scale: 2 },
    ]);
    expect(scene.scatters).toEqual([
      {
        name: 'tree',
        model: 'tree',
        count: 20,
        pattern: 'poisson-disk',
        minSpacingM: 2,
        areaM: [
          [-4, -50],
          [6, -50],
          [6, 50],
        ],
        scale: [1, 1.5],
      },
    ]);
    expect(scene.ignored).toContainEqual({ what: 'heights of scatters (Offset)', count: 1 });
  });

  it('turns as MAVS does: [about x, about z, about y], radians, clockwise', async () => {
    const instances = [
      [half, 0, 0],
      [0, half, 0],
      [0, 0, half],
    ].map((turn) => ({
      YawPitchRoll: turn,
    }));
    const scene = await imported({ Objects: [{ Mesh: 'tree.obj', Instances: instances }] });
    // REP-103: roll about x, yaw about z, pitch about y, each counter-clockwise.
    expect(
      scene.instances.map(({ rollDeg, yawDeg, pitchDeg }) => [rollDeg, yawDeg, pitchDeg]),
    ).toEqual([
      [-90, undefined, undefined],
      [undefined, -90, undefined],
      [undefined, undefined, -90],
    ]);
  });

  it('writes unequal scales into a mesh of its own', async () => {
    const object = { Mesh: 'tree.obj', Instances: [{ Scale: [2, 3, -4] }] };
    const scene = await imported({ Objects: [object] });
    expect(scene.instances).toEqual([
      { name: 'tree', model: 'tree', positionM: [0, 0, 0], onGround: false },
    ]);
    expect(scene.models['tree']).toMatchObject({ file: 'plot-tree.obj', upAxis: 'z' });
    expect(textOf(scene, 'plot-tree.obj')).toBe(
      'v 0 0 0\nv 2 0 0\nv 0 3 0\nusemtl bark\nf 3 2 1\n',
    );
    expect(scene.notes.join('\n')).toContain('without images');
  });

  it('refuses an STL or PLY that would have to be copied', async () => {
    for (const name of ['Rock.STL', 'rock.ply']) {
      const object = { Mesh: name, Instances: [{ Scale: [2, 3, 4] }] };
      const { value, problems } = await mavsScene({ Objects: [object] }, filesOf([name]), 'plot');
      expect(value).toBe(null);
      expect(problems).toEqual([
        {
          path: 'Mesh',
          code: 'format',
          message: `expected an OBJ where a mesh has unequal scales, is mirrored or turned, found '${name}': convert it`,
        },
      ]);
      const same = await imported({ Objects: [{ Mesh: name, Instances: [{}] }] }, [name]);
      expect(same.instances).toHaveLength(1);
    }
  });

  it('takes a surface that is no object, and counts other keys', async () => {
    const surface = { Mesh: 'ground.obj', Position: [0, 0, -1] };
    const scene = await imported({
      'Object Labels': 'labels.json',
      Animations: 'walk.json',
      'Surface Mesh': [surface],
      Objects: [{ Mesh: 'tree.obj', Material: 'x', Instances: [{}] }],
    });
    expect(scene.instances.map(({ name }) => name)).toEqual(['surface', 'tree']);
    expect(scene.ignored).toEqual([
      { what: "'Material'", count: 1 },
      { what: "'Object Labels'", count: 1 },
      { what: "'Animations'", count: 1 },
    ]);
    const twice = await imported({
      'Surface Mesh': [surface],
      Objects: [{ Mesh: 'ground.obj', Instances: [{}] }],
    });
    expect(twice.instances).toHaveLength(1);
  });

  it('looks below PathToMeshes', async () => {
    const asked: string[] = [];
    const data = { PathToMeshes: 'data/m/', Objects: [{ Mesh: 'a.obj', Instances: [{}] }] };
    await mavsScene(data, filesOf(['data/m/a.obj'], asked), 'plot');
    expect(asked).toEqual(['data/m/a.obj']);
  });

  it('refuses with the place', async () => {
    const problems = async (data: unknown) =>
      (await mavsScene(data, filesOf(['tree.obj']), 'plot')).problems.map(
        ({ path, message }) => `${path}: ${message}`,
      );
    expect(
      await problems({ Objects: [{ Mesh: 'tree.obj', Instances: [{ Scale: [1, 2] }] }] }),
    ).toEqual([expect.stringContaining('Objects[0].Instances[0].Scale')]);
    expect(await problems({ Objects: [{ Mesh: 'no.obj', Instances: [{}] }] })).toEqual([
      "Mesh: expected a mesh file: --meshes names the folder of meshes, found no 'no.obj'",
    ]);
    expect((await problems({}))[0]).toContain('found none');
  });
});
