// Parts through the clipboard: as YAML with what they need, into the same scenario or another, under names of their own.
import { describe, expect, it } from 'vitest';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { documentData, editDocument } from '#domain/scenario/editDocument.ts';
import { copiedText, partsFrom, pasteEdits } from '#renderer/logic/sceneEdit/partsClipboard.ts';

const source = `understory: 2
name: source
scene:
  materials:
    soil: { reflectance: 0.3 }
    paint: { reflectance: 0.8, colour: '#ff0000' }
    leaf: { reflectance: 0.5 }
  models:
    cube: { kind: box, sizeM: [1, 1, 1], material: paint }
    rock: { kind: mesh, file: rocks/rock.obj, unit: m, upAxis: z, material: soil }
    tree: { kind: plant, plant: broadleaf-tree }
  motions:
    way: { kind: path, pointsM: [[0, 0, 0], [5, 0, 0]], speedMPerS: 1 }
  walls:
    - { name: wall, fromM: [0, 0], toM: [4, 0], heightM: 2, thicknessM: 0.2, material: soil }
  instances:
    - { name: cube-a, model: cube, positionM: [0, 0, 0] }
    - { name: yes, model: rock, positionM: [4, 2, 0], motion: way }
    - { name: tree-a, model: tree, positionM: [4, 4, 0] }
  scatters:
    - { name: many, model: cube, count: 3, areaM: [[0, 0], [4, 0], [4, 4]], keepClear: [{ centreM: [1, 1], radiusM: 1 }] }
`;
const target = `understory: 2
name: target
scene:
  origin: [100, 0, 0]
  materials:
    soil: { reflectance: 0.3 } # the same
    paint: { reflectance: 0.1 } # another
  models:
    cube: { kind: box, sizeM: [2, 2, 2], material: soil }
  ground: { kind: none }
  instances:
    - { name: cube-a, model: cube, positionM: [100, 0, 0] }
`;
const plant = (id: string): string[] => (id === 'broadleaf-tree' ? ['leaf', 'soil'] : []);
const at = (list: string, index: number) => ['scene', list, index];
function copied(...paths: (string | number)[][]): string {
  const text = copiedText(documentData(source), paths, '/here/a.yaml', plant);
  if (text === null) throw new Error('nothing was copied');
  return text;
}
function pasted(
  into: string,
  clipboard: string,
  atM: [number, number] | null,
  file = '/there/b.yaml',
) {
  const parts = partsFrom(documentData(clipboard));
  if (typeof parts === 'string') throw new Error(parts);
  const { edits, paths } = pasteEdits(documentData(into), parts, { file, atM, groundM: () => 0 });
  const result = editDocument(into, edits);
  expect(result.problems).toEqual([]);
  expect(parseScenario(result.text).problems).toEqual([]);
  return { text: result.text, paths };
}

describe('copied parts', () => {
  it('are YAML with what they name, and what that names', () => {
    const text = copied(at('instances', 0), at('walls', 0));
    expect(documentData(text)).toMatchObject({
      understoryParts: 1,
      from: '/here/a.yaml',
      parts: { 'scene.instances': [{ name: 'cube-a' }], 'scene.walls': [{ name: 'wall' }] },
      needs: { models: { cube: {} }, materials: { paint: {}, soil: {} } },
    });
    expect(text).toContain('    - {name: cube-a, model: cube, positionM: [0, 0, 0]}\n');
    // A word that YAML may take for true stays a name; a plant brings its materials.
    expect(documentData(copied(at('instances', 1), at('instances', 2)))).toMatchObject({
      parts: { 'scene.instances': [{ name: 'yes' }, { name: 'tree-a' }] },
      needs: {
        models: { rock: {}, tree: {} },
        materials: { soil: {}, leaf: {} },
        motions: { way: {} },
      },
    });
    expect(copiedText(documentData(source), [['scene', 'ground']], '', plant)).toBeNull();
  });

  it('are pasted aside into their own scenario, with nothing twice', () => {
    const { text, paths } = pasted(
      source,
      copied(at('instances', 0), at('scatters', 0)),
      null,
      '/here/a.yaml',
    );
    expect(paths).toEqual([at('instances', 3), at('scatters', 1)]);
    expect(text).toContain('{ name: cube-b, model: cube, positionM: [2, 0, 0] }');
    expect(text).toContain('areaM: [[2, 0], [6, 0], [6, 4]]');
    expect(text).toContain('centreM: [3, 1], radiusM: 1');
    expect(text.match(/kind: box/g)).toHaveLength(1);
  });

  it('are pasted at a place of another, with models and materials that differ under other names', () => {
    const { text } = pasted(target, copied(at('instances', 0), at('walls', 0)), [10, 20]);
    // Relative to the origin of that scene, about their middle.
    expect(text).toContain('{ name: cube-b, model: cube-2, positionM: [108.67, 20, 0] }');
    expect(text).toContain('fromM: [108.67, 20]');
    expect(text).toContain('cube-2: { kind: box, sizeM: [1, 1, 1], material: paint-2 }');
    expect(text).toContain('soil: { reflectance: 0.3 } # the same');
    expect(text.match(/soil:/g)).toHaveLength(1);
  });

  it('name files as they are seen from there', () => {
    const { text } = pasted(target, copied(at('instances', 1)), [0, 0]);
    expect(text).toContain('file: /here/rocks/rock.obj');
    // A moving object is placed in the frame of its motion.
    expect(text).toContain('positionM: [4, 2, 0], motion: way');
    expect(pasted(target, copied(at('instances', 1)), null, '/here/c.yaml').text).toContain(
      'file: rocks/rock.obj',
    );
  });

  it('can be models and materials themselves, then they are copies', () => {
    const clipboard = copied(['scene', 'models', 'cube'], ['scene', 'materials', 'soil']);
    const { text, paths } = pasted(source, clipboard, null, '/here/a.yaml');
    expect(paths).toEqual([
      ['scene', 'models', 'cube-2'],
      ['scene', 'materials', 'soil-2'],
    ]);
    expect(text).toContain('cube-2: { kind: box');
  });

  it('are refused with a sentence where a clipboard holds something else', () => {
    expect(partsFrom(null)).toContain('holds no parts of a scenario');
    expect(partsFrom(documentData('just some words'))).toContain('holds no parts');
    expect(partsFrom(documentData(source))).toContain('holds no parts');
    expect(partsFrom({ understoryParts: 7 })).toContain('version 7');
    expect(partsFrom({ understoryParts: 1, parts: { 'scene.elves': [{ name: 'a' }] } })).toContain(
      'none',
    );
    expect(
      partsFrom({ understoryParts: 1, parts: { 'scene.walls': ['x', { name: 3 }] } }),
    ).toContain('none');
  });
});
