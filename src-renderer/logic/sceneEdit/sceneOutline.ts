// The parts of a scenario, as a list for a person: read from its plain data, as far as it is right. Each part is
// known by its path in the document.
import { formatPath, isPathWithin, type Problem } from '#contract/documents/problems.ts';
import { entries, field, items } from '#contract/documents/unknownData.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import { shortCountText } from '#domain/shared/formats.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';

/** Kind of the part at a path. */
export type PartKind =
  | 'scenario'
  | 'ground'
  | 'wall'
  | 'instance'
  | 'scatter'
  | 'model'
  | 'material'
  | 'motion'
  | 'atmosphere'
  | 'weather'
  | 'wind'
  | 'sensor'
  | 'mission'
  | 'survey'
  | 'vehicle'
  | 'navigation';

export interface OutlineItem {
  kind: PartKind;
  path: DocumentPath;
  /** The path as problems write it. */
  key: string;
  title: string;
  /** A description in a few words. */
  detail: string;
  /** Number of copies, triangles …; '' where there is nothing to count. */
  count: string;
  problems: number;
  /** '#rrggbb' of a material. */
  colour: string | null;
}

export interface OutlineGroup {
  id: string;
  title: string;
  items: OutlineItem[];
}

function namesOfKeys(map: unknown): string {
  return entries(map)
    .map(([key]) => key)
    .join(', ');
}

/** Everything in the document, by kind, in its order. `summary`: of the planned scene, for the counts. */
export function outlineOf(
  data: unknown,
  problems: readonly Problem[],
  summary: SceneSummary | null,
): OutlineGroup[] {
  const scene = field(data, 'scene');
  const item = (
    kind: PartKind,
    path: DocumentPath,
    title: string,
    words: Partial<Pick<OutlineItem, 'detail' | 'count' | 'colour'>> = {},
  ): OutlineItem => {
    const key = formatPath(path);
    const own = problems.filter((problem) => isWithin(problem.path, key)).length;
    return { kind, path, key, title, detail: '', count: '', colour: null, ...words, problems: own };
  };
  const listed = (
    kind: PartKind,
    path: DocumentPath,
    list: unknown,
    words: (one: unknown, index: number) => Partial<Pick<OutlineItem, 'detail' | 'count'>>,
  ): OutlineItem[] =>
    items(list).map((one, index) =>
      item(kind, [...path, index], nameOf(one, `${kind} ${index + 1}`), words(one, index)),
    );
  const mapped = (
    kind: PartKind,
    path: DocumentPath,
    map: unknown,
    words: (
      one: unknown,
      name: string,
    ) => Partial<Pick<OutlineItem, 'detail' | 'count' | 'colour'>>,
  ): OutlineItem[] =>
    entries(map).map(([name, one]) => item(kind, [...path, name], name, words(one, name)));

  const single = (
    kind: PartKind,
    path: DocumentPath,
    title: string,
    detailOf: (value: unknown) => string = () => '',
  ) => {
    const value = path.reduce<unknown>((holder, key) => field(holder, String(key)), data);
    return value === undefined ? [] : [item(kind, path, title, { detail: detailOf(value) })];
  };
  return [
    {
      id: 'scenario',
      title: 'Scenario',
      items: [
        item('scenario', [], textOf(field(data, 'name')) || 'Scenario', {
          detail: 'name and seed',
        }),
        item('ground', ['scene', 'ground'], 'Ground', {
          detail: textOf(field(field(scene, 'ground'), 'kind')) || 'none',
        }),
        ...single('atmosphere', ['scene', 'atmosphere'], 'Atmosphere'),
        ...single('weather', ['scene', 'weather'], 'Weather', namesOfKeys),
        ...single('wind', ['scene', 'wind'], 'Wind'),
        ...single('mission', ['mission'], 'Mission', () => 'start and goal'),
        ...single('survey', ['survey'], 'Survey', (survey) => textOf(field(survey, 'kind'))),
        item('vehicle', ['vehicle'], 'Vehicle', {
          detail: textOf(field(field(data, 'vehicle'), 'name')),
        }),
        item('navigation', ['navigation'], 'Navigation', { detail: 'cost map' }),
      ],
    },
    {
      id: 'instances',
      title: 'Objects',
      items: listed('instance', ['scene', 'instances'], field(scene, 'instances'), (one) => ({
        detail: textOf(field(one, 'model')),
      })),
    },
    {
      id: 'scatters',
      title: 'Scatters',
      items: listed('scatter', ['scene', 'scatters'], field(scene, 'scatters'), (one, index) => ({
        detail: textOf(field(one, 'model')),
        count: scatterCount(one, summary?.scatters[index]),
      })),
    },
    {
      id: 'walls',
      title: 'Walls',
      items: listed('wall', ['scene', 'walls'], field(scene, 'walls'), (one) => ({
        detail: textOf(field(one, 'material')),
      })),
    },
    {
      id: 'models',
      title: 'Models',
      items: mapped('model', ['scene', 'models'], field(scene, 'models'), (one, name) => ({
        detail: modelDetail(one),
        count: trianglesText(summary, name),
      })),
    },
    {
      id: 'materials',
      title: 'Materials',
      items: mapped('material', ['scene', 'materials'], field(scene, 'materials'), (one) => ({
        detail: reflectanceText(field(one, 'reflectance')),
        colour: colourOf(one),
      })),
    },
    {
      id: 'motions',
      title: 'Motions',
      items: mapped('motion', ['scene', 'motions'], field(scene, 'motions'), (one) => ({
        detail: textOf(field(one, 'kind')),
      })),
    },
    {
      id: 'sensors',
      title: 'Sensors',
      items: listed('sensor', ['sensors'], field(data, 'sensors'), (one) => ({
        detail: textOf(field(one, 'sensor')),
      })),
    },
  ];
}

/** Only what has the words of a search in its name, kind or detail. */
export function searchOutline(groups: readonly OutlineGroup[], search: string): OutlineGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (group: OutlineGroup, { title, detail, kind }: OutlineItem): boolean => {
    const text = `${group.title} ${kind} ${title} ${detail}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({ ...group, items: group.items.filter((item) => isFound(group, item)) }))
    .filter(({ items: found }) => words.length === 0 || found.length > 0);
}

/** Whether a problem's path is that of the part, or of something in it. '' is the whole document. */
export function isWithin(problemPath: string, key: string): boolean {
  if (key === '(document)') {
    return /^(\(document\)|understory|name|description|seed|scene\.mirrorDepth|(recording|scene\.physics)(\..*)?)$/.test(
      problemPath,
    );
  }
  return isPathWithin(problemPath, key);
}

/** The path of a problem from the part that has it. */
export function pathFrom(problemPath: string, key: string): string {
  if (key === '(document)') return problemPath;
  return problemPath.slice(key.length).replace(/^\./, '') || '(document)';
}

/** The part that a path of the document leads to, and the path of that part; null: nothing that is listed. */
export function partAt(path: DocumentPath): { kind: PartKind; path: DocumentPath } | null {
  const [first, second, third] = path;
  if (first === 'sensors' && typeof second === 'number') {
    return { kind: 'sensor', path: path.slice(0, 2) };
  }
  if (first === 'mission' || first === 'survey' || first === 'vehicle' || first === 'navigation') {
    return { kind: first, path: [first] };
  }
  if (
    first !== 'scene' ||
    second === undefined ||
    second === 'mirrorDepth' ||
    second === 'physics'
  ) {
    return { kind: 'scenario', path: [] };
  }
  if (second === 'ground' || second === 'atmosphere' || second === 'weather' || second === 'wind') {
    return { kind: second, path: ['scene', second] };
  }
  const kind = kindsOfLists[second];
  return kind === undefined || third === undefined ? null : { kind, path: path.slice(0, 3) };
}

/** 'scene.walls[2].toM' as keys. */
export function parsePath(text: string): (string | number)[] {
  if (text === '(document)') return [];
  // Names may have dots in them only as keys of materials, models and motions, which are the third key of a path.
  const inMap = /^scene\.(materials|models|motions)\.(.+)$/.exec(text);
  if (inMap?.[1] !== undefined && inMap[2] !== undefined) {
    const [name = '', ...rest] = inMap[2].split('.');
    return ['scene', inMap[1], ...keysOf(name), ...rest.flatMap(keysOf)];
  }
  return text.split('.').flatMap(keysOf);
}

/** The value at a path, or undefined. */
export function valueAt(data: unknown, path: DocumentPath): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof key === 'number' ? items(value)[key] : field(value, key)),
    data,
  );
}

const kindsOfLists: Record<string | number, PartKind> = {
  instances: 'instance',
  scatters: 'scatter',
  walls: 'wall',
  models: 'model',
  materials: 'material',
  motions: 'motion',
};

function keysOf(part: string): (string | number)[] {
  const [name = '', ...indices] = part.split('[');
  return [name, ...indices.map((index) => Number.parseInt(index, 10))];
}

function nameOf(value: unknown, otherwise: string): string {
  return textOf(field(value, 'name')) || otherwise;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function scatterCount(
  scatter: unknown,
  planned: { placed: number; requested: number } | undefined,
): string {
  const count = field(scatter, 'count');
  if (typeof count !== 'number') return '';
  if (planned === undefined || planned.requested !== count || planned.placed === count) {
    return shortCountText(count);
  }
  return `${shortCountText(planned.placed)} of ${shortCountText(count)}`;
}

function trianglesText(summary: SceneSummary | null, name: string): string {
  const model = summary?.models.find((one) => one.name === name);
  return model === undefined ? '' : `${shortCountText(model.triangles)} △`;
}

function modelDetail(model: unknown): string {
  const kind = textOf(field(model, 'kind'));
  if (kind === 'plant') return textOf(field(model, 'plant'));
  if (kind === 'mesh' || kind === 'learned')
    return textOf(field(model, 'file')).split(/[\\/]/).at(-1) ?? kind;
  return kind;
}

function reflectanceText(reflectance: unknown): string {
  if (typeof reflectance === 'number')
    return `reflectance ${Math.round(1000 * reflectance) / 10} %`;
  return Array.isArray(reflectance) ? `spectrum of ${reflectance.length}` : '';
}

function colourOf(material: unknown): string | null {
  const colour = textOf(field(material, 'colour'));
  return /^#[0-9a-f]{6}$/i.test(colour) ? colour : null;
}
