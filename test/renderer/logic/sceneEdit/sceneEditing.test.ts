// Changes of a scene as edits of its document: each is made in the text of a sample, and what comes out is checked.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { documentData, editDocument } from '#domain/scenario/editDocument.ts';
import {
  newMesh,
  newPlant,
  newPart,
  meshName,
  newParts,
  offeredParts,
  type NewPart,
} from '#renderer/logic/sceneEdit/newParts.ts';
import {
  deleteEdits,
  duplicateEdits,
  freeName,
  missingMaterials,
  namesIn,
  renameEdits,
  withCircles,
} from '#renderer/logic/sceneEdit/sceneChanges.ts';
import { choiceEdits, mappingEdits } from '#renderer/logic/sceneEdit/choiceEdits.ts';
import { allFields } from '#renderer/logic/forms/schemaForm.ts';
import { sceneFields } from '#renderer/logic/sceneEdit/sceneFields.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import {
  outlineOf,
  parsePath,
  searchOutline,
  valueAt,
} from '#renderer/logic/sceneEdit/sceneOutline.ts';
import { partAt } from '#renderer/logic/sceneEdit/sceneParts.ts';
import { formatPath } from '#contract/documents/problems.ts';

const clearing = readFileSync(
  new URL('../../../../assets/scenarios/clearing.understory.yaml', import.meta.url),
  'utf8',
);
const courtyard = readFileSync(
  new URL('../../../../assets/scenarios/courtyard.understory.yaml', import.meta.url),
  'utf8',
);
const data = documentData(clearing);

/** The document after the edits, which leave it without problems. */
function validAfter(edits: readonly DocumentEdit[], text = clearing): unknown {
  const edited = editDocument(text, edits);
  expect(edited.problems).toEqual([]);
  expect(parseScenario(edited.text).problems).toEqual([]);
  for (const comment of text.match(/#[^'\n]*$/gm) ?? []) expect(edited.text).toContain(comment);
  return documentData(edited.text);
}

describe('the outline', () => {
  it('lists everything by its path, with counts of the plan where they differ', () => {
    const scatters = [
      { name: 'tree', requested: 5, placed: 4 },
      { name: 'shrub', requested: 8, placed: 8 },
      { name: 'grass', requested: 350, placed: 350 },
    ];
    const summary = { scatters, models: [{ name: 'tree', triangles: 318_000 }] };
    const problem = { path: 'scene.walls[1].toM', code: 'custom', message: 'x' };
    const groups = outlineOf(data, [problem], summary as never);
    const lines = groups.flatMap(({ id, items }) =>
      items.map(({ title, count, problems }) => `${id}/${title} ${count} ${problems}`),
    );
    expect(lines).toEqual([
      ...['scenario/Clearing  0', 'scenario/Ground  0', 'scenario/Mission  0'],
      ...['scenario/Vehicle  0', 'scenario/Navigation  0', 'instances/oak-a  0'],
      ...['scatters/tree 4 of 5 0', 'scatters/shrub 8 0', 'scatters/grass 350 0'],
      ...['walls/wall-south  0', 'walls/wall-north  1', 'walls/wall-west  0', 'walls/wall-east  0'],
      ...['models/tree 318 k △ 0', 'models/grass  0', 'models/shrub  0'],
      ...['materials/soil  0', 'materials/plaster  0', 'materials/grass  0', 'materials/leaf  0'],
      ...['materials/bark  0', 'sensors/lidar  0'],
    ]);
    for (const { items } of groups) {
      for (const { path, kind } of items) expect(partAt(path)?.kind).toBe(kind);
    }
  });

  it('survives whatever a document says', () => {
    for (const junk of [null, 3, [], { scene: [] }, { scene: { walls: 7, models: [1] } }]) {
      expect(outlineOf(junk, [], null).map(({ id }) => id)).toContain('walls');
    }
  });

  it('finds by words of name, kind or detail', () => {
    const groups = outlineOf(data, [], null);
    const titles = (search: string): string[] =>
      searchOutline(groups, search).flatMap(({ items }) => items.map(({ title }) => title));
    expect(titles('WALL north')).toEqual(['wall-north']);
    expect(titles('scatter shrub')).toEqual(['shrub']);
    expect(titles('nothing of it')).toEqual([]);
    expect(searchOutline(groups, ' ')).toEqual(groups.filter(({ items }) => items.length > 0));
  });

  it('takes the path of a problem apart as it was put together', () => {
    const paths: DocumentPath[] = [
      ['scene', 'walls', 2, 'toM', 1],
      ['scene', 'models', 'tree', 'plant'],
      ['sensors', 0, 'mount', 'positionM'],
      ['seed'],
    ];
    for (const path of paths) expect(parsePath(formatPath(path))).toEqual(path);
    expect(partAt(parsePath('scene.scatters[1].keepClear[0].radiusM'))).toEqual({
      kind: 'scatter',
      path: ['scene', 'scatters', 1],
    });
    expect(partAt(parsePath('seed'))?.kind).toBe('scenario');
  });
});

describe('changes of a scene', () => {
  it.each(Object.keys(newParts) as NewPart[])('adds a valid %s, twice too', (kind) => {
    const once = newPart(data, kind, 'vlp-16', [3, 4, 0]);
    const after = validAfter(once.edits);
    expect(valueAt(after, once.path)).toBeDefined();
    const { text } = editDocument(clearing, once.edits);
    const twice = newPart(after, kind, 'vlp-16');
    validAfter(twice.edits, text);
  });

  it('offers objects of models, and parts that a scenario has once, where they can be added', () => {
    const bare = offeredParts({ scene: { wind: { speedMPerS: 8 } } }).map(({ kind }) => kind);
    expect(bare).toContain('weather');
    expect(bare).not.toContain('wind');
    expect(bare).not.toContain('instance');
    expect(offeredParts(data).map(({ kind }) => kind)).toContain('instance');
  });

  it('adds plants with the materials that they need, and meshes', () => {
    const bare = 'understory: 2\nname: bare # mine\nscene:\n  materials: {}\n';
    const plant = { id: 'broadleaf-tree', generator: 'tree', materials: ['bark', 'leaf'] };
    const { edits, path } = newPlant(documentData(bare), plant);
    const after = validAfter(edits, bare);
    expect(namesIn(after, 'materials')).toEqual(['bark', 'leaf']);
    expect(valueAt(after, path)).toEqual({ name: 'tree-a', model: 'tree', positionM: [0, 0, 0] });
    expect(missingMaterials(after, ['leaf', 'bark'])).toEqual([]);

    const mesh = newMesh(data, {
      file: '/a/Old rock (2).obj',
      name: meshName('/a/Old rock (2).obj'),
      unit: 'cm',
      upAxis: 'y',
      material: 'soil',
      positionM: [1, 2, 0],
    });
    expect(namesIn(validAfter(mesh.edits), 'models')).toContain('old-rock-2');
  });

  it('gives names that neither another part nor a copy of a scatter has', () => {
    expect(freeName(data, 'oak-a')).toBe('oak-b');
    expect(freeName(data, 'new')).toBe('new');
    const many = { scene: { instances: Array.from({ length: 60 }, (_, at) => ({ name: at })) } };
    const named = many.scene.instances.reduce<unknown[]>((list) => {
      return [...list, { name: freeName({ scene: { instances: list } }, 'oak') }];
    }, []);
    expect(new Set(named.map((one) => JSON.stringify(one))).size).toBe(60);
    expect(named.every((one) => !/-\d+"/.test(JSON.stringify(one)))).toBe(true);
  });

  const parts: DocumentPath[] = [
    ['scene', 'instances', 0],
    ['scene', 'scatters', 1],
    ['scene', 'walls', 3],
    ['scene', 'models', 'shrub'],
    ['scene', 'materials', 'leaf'],
    ['sensors', 0],
  ];
  it.each(parts.map((path) => [formatPath(path), path] as const))('copies %s', (_, path) => {
    const change = duplicateEdits(data, path);
    expect(change).not.toBeNull();
    const after = validAfter(change?.edits ?? []);
    const { name: first, ...before } = valueAt(data, path) as Record<string, unknown>;
    const { name, ...copy } = valueAt(after, change?.path ?? []) as Record<string, unknown>;
    expect(Object.keys(copy)).toEqual(Object.keys(before));
    if (first !== undefined) expect(name).not.toBe(first);
  });

  it('moves the circles that keep clear of an object with it, copies and deletes them too', () => {
    const path = ['scene', 'instances', 0];
    const circlesOf = (of: unknown): unknown => valueAt(of, ['scene', 'scatters', 0, 'keepClear']);
    const kept = [
      { centreM: [-9, -7], radiusM: 6 },
      { centreM: [7, 5], radiusM: 6 },
    ];
    const placed = (of: unknown, positionM: number[]): DocumentEdit[] =>
      withCircles(of, [
        { path: [...path, 'positionM'], op: 'set', value: positionM },
        { path: [...path, 'yawDeg'], op: 'set', value: 90 },
      ]);
    const moved = validAfter(placed(data, [2, 3, 0]));
    expect(circlesOf(moved)).toEqual([...kept, { centreM: [2, 3], radiusM: 8 }]);
    const copied = validAfter(duplicateEdits(data, path)?.edits ?? []);
    expect(circlesOf(copied)).toEqual([
      ...kept,
      { centreM: [-1, -1], radiusM: 8 },
      { centreM: [1, -1], radiusM: 8 },
    ]);
    const { edits, breaks } = deleteEdits(data, path);
    expect(breaks).toEqual([]);
    const text = editDocument(clearing, edits).text;
    expect(parseScenario(text).problems).toEqual([]);
    expect(circlesOf(documentData(text))).toEqual(kept);
    // Positions on the mission's start and goal stay.
    const onGoal = documentData(clearing.replace('[-1, -1, 0]', '[7, 5, 0]'));
    expect(placed(onGoal, [0, 0, 0])).toHaveLength(2);
    // Lifted only: they stay where they are.
    expect(placed(data, [-1, -1, 3])).toHaveLength(2);
    expect(deleteEdits(onGoal, path).edits).toHaveLength(1);
  });

  it('says what a model or material is used by, and removes that with it where it is asked to', () => {
    const model = deleteEdits(data, ['scene', 'models', 'tree']);
    expect(model.breaks).toEqual(['oak-a', 'tree']);
    const without = editDocument(clearing, model.withUsers ?? []);
    expect(without.problems).toEqual([]);
    expect(parseScenario(without.text).problems).toEqual([]);
    const material = deleteEdits(data, ['scene', 'materials', 'plaster']);
    expect(material.breaks).toHaveLength(4);
    expect(material.breaks[0]).toBe('scene.walls[0].material');
    const broken = parseScenario(editDocument(clearing, material.edits).text);
    expect(broken.problems.map(({ path }) => path)).toEqual(material.breaks);
  });

  it('deletes many parts of the courtyard at once, each the right one', () => {
    const yard = documentData(courtyard);
    const { withUsers } = deleteEdits(yard, ['scene', 'models', 'tree']);
    const after = documentData(editDocument(courtyard, withUsers ?? []).text);
    expect(valueAt(after, ['scene', 'instances'])).toEqual([]);
    expect(valueAt(after, ['scene', 'scatters'])).toMatchObject([{ name: 'grass' }]);
  });

  it('renames with every reference', () => {
    for (const path of [
      ['scene', 'models', 'tree'],
      ['scene', 'materials', 'plaster'],
      ['scene', 'scatters', 0],
    ]) {
      const change = renameEdits(data, path, 'renamed');
      const after = validAfter(change.edits);
      expect(valueAt(after, change.path)).toBeDefined();
      expect(JSON.stringify(after)).toContain('renamed');
    }
  });
});

describe('the fields of a part', () => {
  const choices = {
    models: ['tree'],
    materials: ['soil'],
    sensors: ['vlp-16'],
    plants: [],
    motions: [],
    inMesh: [],
  };

  it('lead to fields of the schema: values of a sample can be set to themselves', () => {
    const scenario = parseScenario(clearing).value;
    for (const { items } of outlineOf(scenario, [], null)) {
      for (const { kind, path } of items) {
        const part = valueAt(scenario, path);
        for (const field of allFields(sceneFields(kind, part, choices))) {
          const value = valueAt(part, field.path);
          if (value === undefined) continue;
          const { text } = editDocument(clearing, [
            { path: [...path, ...field.path], op: 'set', value },
          ]);
          expect(parseScenario(text).problems, `${kind} ${field.label}`).toEqual([]);
        }
      }
    }
  });

  it('change names and their meanings one by one: the rest of the document stays as it is', () => {
    const path = ['materials'];
    const before = { Bark: 'bark', 'Leaf.001': 'leaf', Old: 'soil' };
    expect(mappingEdits(path, before, { Bark: 'bark', 'Leaf.001': 'soil', New: 'leaf' })).toEqual([
      { path: ['materials', 'Old'], value: null, isRemoved: true },
      { path: ['materials', 'Leaf.001'], value: 'soil' },
      { path: ['materials', 'New'], value: 'leaf' },
    ]);
    expect(mappingEdits(path, before, {})).toEqual([{ path, value: null, isRemoved: true }]);
    expect(mappingEdits(path, undefined, { Bark: 'bark' })).toEqual([
      { path: ['materials', 'Bark'], value: 'bark' },
    ]);
  });

  it('change with the kind of a part, which brings along what it needs', () => {
    const cases: [Parameters<typeof choiceEdits>[0], DocumentPath, DocumentPath, string][] = [
      ['ground', ['scene', 'ground'], ['kind'], 'none'],
      ['ground', ['scene', 'ground'], ['kind'], 'plane'],
      ['ground', ['scene', 'ground'], ['kind'], 'terrain'],
      ['material', ['scene', 'materials', 'leaf'], ['surface', 'kind'], 'retroreflector'],
      ['material', ['scene', 'materials', 'leaf'], ['surface', 'kind'], 'oren-nayar'],
      ['material', ['scene', 'materials', 'leaf'], ['surface', 'kind'], 'mirror'],
      ['material', ['scene', 'materials', 'leaf'], ['surface', 'kind'], 'glass'],
      ['material', ['scene', 'materials', 'leaf'], ['surface', 'kind'], 'water'],
      ['scatter', ['scene', 'scatters', 2], ['pattern'], 'poisson-disk'],
      ['scatter', ['scene', 'scatters', 0], ['pattern'], 'uniform'],
    ];
    for (const [kind, path, own, value] of cases) {
      const edits = choiceEdits(kind, valueAt(data, path), own, value, data).map(
        (change): DocumentEdit =>
          change.isRemoved === true
            ? { path: [...path, ...change.path], op: 'remove' }
            : { path: [...path, ...change.path], op: 'set', value: change.value },
      );
      validAfter(edits);
    }
  });

  it('take from a leaf what glass has by its own law', () => {
    const leaf = { reflectance: 0.5, transmittance: 0.3, gapFraction: 0.1, wetness: 0.2 };
    expect(choiceEdits('material', leaf, ['surface', 'kind'], 'glass', {})).toEqual([
      { path: ['surface'], value: { kind: 'glass' } },
      { path: ['transmittance'], value: null, isRemoved: true },
      { path: ['gapFraction'], value: null, isRemoved: true },
      { path: ['reflectance'], value: 0 },
    ]);
    expect(choiceEdits('material', leaf, ['surface', 'kind'], 'lambertian', {})).toEqual([
      { path: ['surface'], value: { kind: 'lambertian' } },
    ]);
  });
});

describe('fields of a material', () => {
  const choices = { models: [], materials: [], motions: [], sensors: [], plants: [], inMesh: [] };
  const labelsOf = (kind?: string): string[] =>
    sceneFields('material', kind === undefined ? {} : { surface: { kind } }, choices).map(
      ({ label }) => label,
    );

  it('are those of its surface, and of every surface', () => {
    const all = [
      'Reflectance',
      'Surface',
      'Transmittance',
      'Gap fraction',
      'Wetness',
      'Plant part',
      'Colour',
    ];
    expect(labelsOf()).toEqual(all);
    expect(labelsOf('lambertian')).toEqual(labelsOf());
    const own: Record<string, string[]> = {
      'oren-nayar': ['Roughness'],
      retroreflector: ['Gain', 'Half width'],
      mirror: ['Specular reflectance'],
      glass: ['Refractive index', 'Thickness', 'Absorption'],
      water: ['Refractive index', 'Max depth', 'Absorption'],
    };
    for (const [kind, labels] of Object.entries(own)) {
      expect(new Set(labelsOf(kind)), kind).toEqual(new Set([...all, ...labels]));
    }
  });
});
