// Edits of documents as text: what is not edited keeps every byte, and what is edited reads back as asked.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { documentData, editDocument } from '#domain/scenario/editDocument.ts';

const scenariosFolder = new URL('../../../assets/scenarios/', import.meta.url);
const courtyard = readFileSync(new URL('courtyard.understory.yaml', scenariosFolder), 'utf8');

/** The lines that an edit removes (-) and adds (+); all others are byte for byte the same, in order. */
function changedLines(before: string, after: string): string[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  return [
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+${line}`),
  ];
}

function editedText(text: string, ...edits: DocumentEdit[]): string {
  const { text: after, problems } = editDocument(text, edits);
  expect(problems).toEqual([]);
  return after;
}

const inCourtyard: [what: string, edit: DocumentEdit, lines: string[]][] = [
  [
    'a number of a list on one line',
    { path: ['scene', 'instances', 1, 'positionM', 0], op: 'set', value: -44 },
    [
      '-    - { name: oak-b, model: tree, positionM: [-45, -44.5, 0], yawDeg: 140, scale: 1.1 }',
      '+    - { name: oak-b, model: tree, positionM: [-44, -44.5, 0], yawDeg: 140, scale: 1.1 }',
    ],
  ],
  [
    'a whole object, of which only what differs changes: 1.0 stays 1.0',
    {
      path: ['scene', 'instances', 0],
      op: 'set',
      value: { name: 'oak-a', model: 'tree', positionM: [-80, -81, 0], yawDeg: 20, scale: 1 },
    },
    [
      '-    - { name: oak-a, model: tree, positionM: [-80, -80.4, 0], yawDeg: 20, scale: 1.0 }',
      '+    - { name: oak-a, model: tree, positionM: [-80, -81, 0], yawDeg: 20, scale: 1.0 }',
    ],
  ],
  [
    'a new object beside its like',
    {
      path: ['scene', 'instances', 2],
      op: 'insert',
      value: { name: 'oak-x', model: 'tree', positionM: [1, 2, 0] },
    },
    ['+    - { name: oak-x, model: tree, positionM: [1, 2, 0] }'],
  ],
  [
    'a new wall, spread as the others are',
    {
      path: ['scene', 'walls', 4],
      op: 'insert',
      value: {
        name: 'shed',
        fromM: [0, 1],
        toM: [2, 1],
        heightM: 2,
        thicknessM: 0.2,
        material: 'soil',
      },
    },
    [
      '+    - name: shed',
      '+      fromM: [0, 1]',
      '+      toM: [2, 1]',
      '+      heightM: 2',
      '+      thicknessM: 0.2',
      '+      material: soil',
    ],
  ],
  [
    'a new scatter, set off by a blank line as the others are',
    {
      path: ['scene', 'scatters', 2],
      op: 'insert',
      value: {
        name: 'bush',
        model: 'tree',
        count: 3,
        areaM: [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
        keepClear: [{ centreM: [0, 0], radiusM: 1 }],
      },
    },
    [
      '+    - name: bush',
      '+      model: tree',
      '+      count: 3',
      '+      areaM: [[0, 0], [1, 0], [1, 1]]',
      '+      keepClear:',
      '+        - { centreM: [0, 0], radiusM: 1 }',
      '+',
    ],
  ],
  [
    'an item with its comment; the blank line that set it off goes too',
    { path: ['scene', 'scatters', 0, 'keepClear', 1], op: 'remove' },
    ['-        - { centreM: [-8, -8], radiusM: 8 } # goal'],
  ],
  [
    'a key of a mapping on one line',
    { path: ['scene', 'ground', 'zM'], op: 'remove' },
    [
      '-  ground: { kind: plane, sizeM: [301, 301], zM: 0, material: soil }',
      '+  ground: { kind: plane, sizeM: [301, 301], material: soil }',
    ],
  ],
  [
    'a key with lines of its own',
    { path: ['vehicle', 'heightM'], op: 'remove' },
    ['-  heightM: 1.6'],
  ],
  [
    'another name for a material',
    { path: ['scene', 'materials', 'leaf'], op: 'rename', value: 'oak-leaf' },
    [
      "-    leaf: { reflectance: 0.5, colour: '#3f7a2e' }",
      "+    oak-leaf: { reflectance: 0.5, colour: '#3f7a2e' }",
    ],
  ],
  [
    'a part that was not there',
    { path: ['scene', 'atmosphere', 'rainMmPerH'], op: 'set', value: 5 },
    ['+  atmosphere: { rainMmPerH: 5 }'],
  ],
  [
    'a key that was not there, on the line of its mapping, before the comment',
    { path: ['scene', 'scatters', 1, 'yawDeg'], op: 'set', value: [0, 90] },
    ['+      yawDeg: [0, 90]'],
  ],
  [
    'a text that needs quotes',
    { path: ['scene', 'materials', 'soil', 'colour'], op: 'set', value: '#000000' },
    [
      "-    soil: { reflectance: 0.25, colour: '#6e5a41' }",
      "+    soil: { reflectance: 0.25, colour: '#000000' }",
    ],
  ],
];

describe('editDocument', () => {
  it.each(inCourtyard)('changes nothing else: %s', (_, edit, lines) => {
    const after = editedText(courtyard, edit);
    expect(changedLines(courtyard, after).toSorted()).toEqual(lines.toSorted());
    expect(parseScenario(after).problems.filter(({ code }) => code === 'syntax')).toEqual([]);
  });

  it('keeps every comment over many edits, and takes them back to the same bytes', () => {
    const comments = courtyard.match(/#.*$/gm) ?? [];
    expect(comments.length).toBeGreaterThan(12);
    const there: DocumentEdit[] = [
      { path: ['seed'], op: 'set', value: 7 },
      { path: ['scene', 'scatters', 1, 'count'], op: 'set', value: 100 },
      { path: ['scene', 'instances', 4], op: 'insert', value: { name: 'b', model: 'tree' } },
      { path: ['mission', 'goalM'], op: 'set', value: [10, 20] },
      { path: ['description'], op: 'set', value: 'Another yard.' },
    ];
    const after = editedText(courtyard, ...there);
    for (const comment of comments) expect(after).toContain(comment);
    expect(after).toContain('description: >-\n  Another yard.\n');
    const { description } = documentData(courtyard) as { description: string };
    const back: DocumentEdit[] = [
      { path: ['seed'], op: 'set', value: 1 },
      { path: ['scene', 'scatters', 1, 'count'], op: 'set', value: 19900 },
      { path: ['scene', 'instances', 4], op: 'remove' },
      { path: ['mission', 'goalM'], op: 'set', value: [-8, -8] },
      { path: ['description'], op: 'set', value: description },
    ];
    expect(editedText(after, ...back)).toBe(courtyard);
  });

  it('empties a list and fills it again, keeping the comments around its items', () => {
    const text = 'a:\n  # above\n  - { x: 1 } # beside\n  # below\nb: 2 # last\n';
    const empty = editedText(text, { path: ['a', 0], op: 'remove' });
    expect(empty).toBe('a: []\n  # above\n  # below\nb: 2 # last\n');
    const full = editedText(empty, { path: ['a', 0], op: 'insert', value: { x: 2 } });
    expect(parse(full)).toEqual({ a: [{ x: 2 }], b: 2 });
    for (const comment of ['# above', '# below', '# last']) expect(full).toContain(comment);
  });

  it('keeps the first key of an item on the line of its dash', () => {
    const after = editedText('a:\n  - x: 1\n    y: 2\n', { path: ['a', 0, 'x'], op: 'remove' });
    expect(after).toBe('a:\n  - y: 2\n');
  });

  it('leaves the line breaks of another system, and a file without a last one', () => {
    const dos = 'a:\r\n  - x: 1\r\n    y: 2\r\nb: 3';
    const edits: DocumentEdit[] = [
      { path: ['a', 1], op: 'insert', value: { x: 3, y: 4 } },
      { path: ['c'], op: 'set', value: true },
    ];
    expect(editedText(dos, ...edits)).toBe(
      'a:\r\n  - x: 1\r\n    y: 2\r\n  - x: 3\r\n    y: 4\r\nb: 3\r\nc: true',
    );
  });

  it('edits JSON as JSON', () => {
    const json = JSON.stringify({ a: [{ x: 1 }], b: 'c' }, null, 2);
    const after = editedText(
      json,
      { path: ['a', 1], op: 'insert', value: { x: 'two' } },
      { path: ['d'], op: 'set', value: { e: [] } },
    );
    expect(JSON.parse(after)).toEqual({ a: [{ x: 1 }, { x: 'two' }], b: 'c', d: { e: [] } });
  });

  it('changes one of two values that share an anchor, and only that', () => {
    const text = 'a: &size [1, 2] # both\nb: *size\nc: *size\n';
    expect(editedText(text, { path: ['b', 0], op: 'set', value: 5 })).toBe(
      'a: &size [1, 2] # both\nb: [5, 2]\nc: [1, 2]\n',
    );
    const after = editedText(text, { path: ['a', 0], op: 'set', value: 5 });
    expect(parse(after)).toEqual({ a: [5, 2], b: [1, 2], c: [1, 2] });
    expect(after).toContain('# both');
  });

  it('writes any value so that it reads back the same', () => {
    const values: unknown[] = [
      ...['', ' ', 'yes', 'null', '~', '1e3', '0x1f', '- a', 'a: b', 'a #b', "it's", 'é · ° ×'],
      ...['two\nlines', '{a}', '[b]', '*c', '&d', '!e', '|', '>', '%', '@', '`', 'tab\t', '\u0001'],
      ...[
        0.1 + 0.2,
        -0,
        1e-9,
        1e21,
        true,
        null,
        [],
        {},
        [[]],
        [{}],
        { 'a b': { ': ': [1, null] } },
      ],
    ];
    for (const value of values) {
      for (const text of ['a: 1\nz: 2\n', 'a: { b: 1 }\n', 'a:\n  - b\n', '{"a": [1]}']) {
        for (const path of [['a'], ['new'], ['deep', 'er']]) {
          const after = editedText(text, { path, op: 'set', value });
          const said = path.reduce<unknown>(
            (at, key) => Reflect.get(Object(at), key),
            parse(after),
          );
          expect(said, after).toEqual(value);
        }
      }
    }
  });

  it('refuses what cannot be, names the place and gives the text back', () => {
    const refused: [DocumentEdit, string][] = [
      [{ path: ['nothing'], op: 'remove' }, 'nothing'],
      [
        { path: ['scene', 'instances', 9, 'model'], op: 'set', value: 1 },
        'scene.instances[9].model',
      ],
      [{ path: ['seed', 'x'], op: 'set', value: 1 }, 'seed.x'],
      [{ path: ['seed'], op: 'insert', value: 1 }, 'seed'],
      [{ path: ['seed'], op: 'rename', value: 'name' }, 'seed'],
    ];
    for (const [edit, path] of refused) {
      const first: DocumentEdit = { path: ['seed'], op: 'set', value: 9 };
      const { text, problems } = editDocument(courtyard, [first, edit]);
      expect(text).toBe(courtyard);
      expect(problems.map((problem) => problem.path)).toEqual([path]);
    }
  });

  it.each([
    ['duplicate keys', 'a: 1\na: 2\n'],
    ['an alias to nothing', 'a: *b\n'],
    ['junk', '\u0000{[}:- "'],
    ['a value that contains itself', 'a: &a [*a]\n'],
    ['aliases that multiply', 'a: &a [1,1,1,1,1,1,1,1,1]\n' + multiplied(9)],
  ])('gives a text with %s back unchanged', (_, text) => {
    const { text: after, problems } = editDocument(text, [{ path: ['x'], op: 'set', value: 1 }]);
    expect(after).toBe(text);
    expect(problems).toHaveLength(1);
  });

  it('takes a document of 5 MB', () => {
    const note = 'an oak '.repeat(150);
    const line = `    - { name: oak, model: tree, positionM: [-80, 1.50, 0], scale: 1.0 } # ${note}x\n`;
    const count = Math.ceil((5 * 1024 * 1024) / line.length);
    const large = `scene:\n  instances:\n${line.repeat(count)}seed: 1 # end\n`;
    const after = editedText(large, {
      path: ['scene', 'instances', 9, 'scale'],
      op: 'set',
      value: 2,
    });
    expect(changedLines(large, after)).toEqual([
      `-${line.trimEnd()}`,
      `+${line.trimEnd().replace('1.0 }', '2 }')}`,
    ]);
  });
});

/** Lists of nine aliases of the list before: nine to the power of `levels` values. */
function multiplied(levels: number): string {
  const names = Array.from({ length: levels }, (_, level) => String.fromCharCode(98 + level));
  return names
    .map((name, level) => {
      const before = String.fromCharCode(97 + level);
      return `${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]\n`;
    })
    .join('');
}
