// The parts of a scenario, as a list for a person: read from its plain data, as far as it is right. Each part is
// known by its path in the document.
import { formatPath, isPathWithin, type Problem } from '#contract/documents/problems.ts';
import { isFileModelKind } from '#contract/documents/scene.ts';
import { entries, field, items } from '#contract/documents/unknownData.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import { shortCountText } from '#domain/shared/formats.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { partOf, sceneParts, type PartKind } from './sceneParts.ts';

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

type Words = Partial<Pick<OutlineItem, 'detail' | 'count' | 'colour'>>;

/** Everything in the document, by kind, in its order. `summary`: of the planned scene, for the counts. */
export function outlineOf(
  data: unknown,
  problems: readonly Problem[],
  summary: SceneSummary | null,
): OutlineGroup[] {
  const item = (
    kind: PartKind,
    path: DocumentPath,
    title: string,
    words: Words = {},
  ): OutlineItem => {
    const key = formatPath(path);
    const own = problems.filter((problem) => isWithin(problem.path, key)).length;
    return { kind, path, key, title, detail: '', count: '', colour: null, ...words, problems: own };
  };
  const listed = (kind: PartKind, words: (one: unknown, index: number) => Words): OutlineItem[] =>
    items(valueAt(data, sceneParts[kind].place)).map((one, index) =>
      item(
        kind,
        [...sceneParts[kind].place, index],
        nameOf(one, `${kind} ${index + 1}`),
        words(one, index),
      ),
    );
  const mapped = (kind: PartKind, words: (one: unknown, name: string) => Words): OutlineItem[] =>
    entries(valueAt(data, sceneParts[kind].place)).map(([name, one]) =>
      item(kind, [...sceneParts[kind].place, name], name, words(one, name)),
    );

  const single = (
    kind: PartKind,
    detailOf: (value: unknown) => string = () => '',
  ): OutlineItem[] => {
    const { place, title = '', isOptional = false } = partOf(kind);
    const value = valueAt(data, place);
    const isThere = value !== undefined || !isOptional;
    return isThere ? [item(kind, place, title, { detail: detailOf(value) })] : [];
  };
  return [
    {
      id: 'scenario',
      title: 'Scenario',
      items: [
        item('scenario', [], textOf(field(data, 'name')) || 'Scenario', {
          detail: 'name and seed',
        }),
        ...single('ground', (ground) => textOf(field(ground, 'kind')) || 'none'),
        ...single('atmosphere'),
        ...single('weather', namesOfKeys),
        ...single('wind'),
        ...single('mission', () => 'start and goal'),
        ...single('survey', (survey) => textOf(field(survey, 'kind'))),
        ...single('vehicle', (vehicle) => textOf(field(vehicle, 'name'))),
        ...single('navigation', () => 'cost map'),
        ...single('estimate', estimateDetail),
      ],
    },
    {
      id: 'instances',
      title: 'Objects',
      items: listed('instance', (one) => ({ detail: textOf(field(one, 'model')) })),
    },
    {
      id: 'scatters',
      title: 'Scatters',
      items: listed('scatter', (one, index) => ({
        detail: textOf(field(one, 'model')),
        count: scatterCount(one, summary?.scatters[index]),
      })),
    },
    {
      id: 'stands',
      title: 'Stands',
      items: listed('stand', standWords),
    },
    {
      id: 'landscapes',
      title: 'Landscapes',
      items: listed('landscape', landscapeWords),
    },
    {
      id: 'walls',
      title: 'Walls',
      items: listed('wall', (one) => ({
        detail: textOf(field(one, 'material')),
      })),
    },
    {
      id: 'models',
      title: 'Models',
      items: mapped('model', (one, name) => ({
        detail: modelDetail(one),
        count: trianglesText(summary, name),
      })),
    },
    {
      id: 'materials',
      title: 'Materials',
      items: mapped('material', (one) => ({
        detail: reflectanceText(field(one, 'reflectance')),
        colour: colourOf(one),
      })),
    },
    {
      id: 'motions',
      title: 'Motions',
      items: mapped('motion', (one) => ({ detail: textOf(field(one, 'kind')) })),
    },
    {
      id: 'sensors',
      title: 'Sensors',
      items: listed('sensor', (one) => ({
        detail: textOf(field(one, 'sensor')),
      })),
    },
  ];
}

function estimateDetail(estimate: unknown): string {
  const voxelM = field(estimate, 'voxelM');
  return typeof voxelM === 'number' ? `voxels of ${voxelM} m` : 'voxels';
}

function landscapeWords(landscape: unknown): Words {
  const sideM = field(landscape, 'sideM');
  return { detail: typeof sideM === 'number' ? `tiles of ${sideM} m` : 'tiles' };
}

/** Species of a mixture, or the file of a list. */
function standWords(stand: unknown): Words {
  const mixture = entries(field(stand, 'mixture')).map(([name]) => name);
  const detail =
    mixture.length > 0
      ? mixture.join(', ')
      : textOf(field(stand, 'file')) || textOf(field(stand, 'kind'));
  const perHa = field(stand, 'stemsPerHa') ?? field(stand, 'logsPerHa');
  if (typeof perHa === 'number') return { detail, count: `${shortCountText(perHa)}/ha` };
  const trees = items(field(stand, 'trees')).length;
  return { detail, count: trees === 0 ? '' : shortCountText(trees) };
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
    .filter(({ items: found }) => found.length > 0);
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
  if (isFileModelKind(kind)) return textOf(field(model, 'file')).split(/[\\/]/).at(-1) ?? kind;
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
