// Rules of a scenario beyond its schema: names that must exist, or must be unique.
// Why it reads unknown data: it also runs over documents whose fields have problems, so that a person
// learns of everything at once.
import type { z } from 'zod';
import { scatterOfCopy } from '../worker/instanceNames.ts';
import { isVolumeModelKind } from './scene.ts';
import { tiledParts } from './tiledParts.ts';
import { vehicleClass } from './vehicleBody.ts';
import { entries, field, items } from './unknownData.ts';

type Report = (path: PropertyKey[], message: string) => void;

/** Reports every reference to nothing and every name used twice. */
export function checkReferences(scenario: unknown, context: z.core.$RefinementCtx): void {
  const report: Report = (path, message) => context.addIssue({ code: 'custom', path, message });
  const scene = field(scenario, 'scene');
  checkMaterials(scene, report);
  checkModels(scene, report);
  checkBody(scenario, report);
  checkMotions(scene, report);
  checkPhysics(scene, report);
  checkScatters(scene, report);
  checkInstanceNames(scene, report);
  checkClasses(scenario, report);
  checkWeather(scene, report);
  checkLandscapes(scenario, report);
  const sensors = namesOf(field(scenario, 'sensors'), ['sensors']);
  reportRepeats(sensors, report);
  checkSurvey(field(scenario, 'survey'), sensors, report);
}

function checkSurvey(survey: unknown, sensors: readonly { name: string }[], report: Report): void {
  const sensor = field(survey, 'sensor');
  if (typeof sensor === 'string' && !sensors.some(({ name }) => name === sensor)) {
    const known = sensors.map(({ name }) => name).join(', ') || 'it has none';
    const message = `expected a sensor of the scenario (${known}), found '${sensor}'`;
    report(['survey', 'sensor'], message);
  }
  for (const [list, leg] of [
    ['positions', 'position'],
    ['strips', 'strip'],
  ] as const) {
    const legs = items(field(survey, list)).map((item, index) => {
      const name = field(item, 'name');
      const path = ['survey', list, index, 'name'];
      return { name: typeof name === 'string' ? name : `${leg}-${index + 1}`, path };
    });
    reportRepeats(legs, report);
  }
  for (const [index, strip] of items(field(survey, 'strips')).entries()) {
    const [from, to] = [items(field(strip, 'fromM')), items(field(strip, 'toM'))];
    if (from.length === 2 && from[0] === to[0] && from[1] === to[1]) {
      report(['survey', 'strips', index, 'toM'], 'expected another point than fromM');
    }
  }
}

function checkMaterials(scene: unknown, report: Report): void {
  const materials = field(scene, 'materials');
  const expectMaterial = (path: PropertyKey[], name: unknown): void =>
    expectKey(path, name, materials, 'a material of the scene', report);
  for (const [name, model] of entries(field(scene, 'models'))) {
    const at = ['scene', 'models', name];
    for (const part of ['material', 'barkMaterial']) {
      expectMaterial([...at, part], field(model, part));
    }
    for (const [inFile, material] of entries(field(model, 'materials'))) {
      expectMaterial([...at, 'materials', inFile], material);
    }
  }
  expectMaterial(['scene', 'ground', 'material'], field(field(scene, 'ground'), 'material'));
  for (const { at, part } of tiledParts(scene, 'stands')) {
    expectMaterial([...at, 'material'], field(part, 'material'));
  }
  for (const [index, wall] of items(field(scene, 'walls')).entries()) {
    const at = ['scene', 'walls', index];
    expectMaterial([...at, 'material'], field(wall, 'material'));
    const [from, to] = [items(field(wall, 'fromM')), items(field(wall, 'toM'))];
    if (from.length === 2 && from[0] === to[0] && from[1] === to[1]) {
      report([...at, 'toM'], 'expected another point than fromM');
    }
  }
}

function checkModels(scene: unknown, report: Report): void {
  const models = field(scene, 'models');
  const instances = items(field(scene, 'instances')).map((part, index) => {
    return { at: ['scene', 'instances', index], part };
  });
  for (const { at, part } of [...instances, ...tiledParts(scene, 'scatters')]) {
    expectKey([...at, 'model'], field(part, 'model'), models, 'a model of the scene', report);
  }
}

function checkBody(scenario: unknown, report: Report): void {
  const scene = field(scenario, 'scene');
  const body = field(field(scenario, 'vehicle'), 'body');
  const at = ['vehicle', 'body'];
  for (const [index, part] of items(body).entries()) {
    const [material, model] = [field(part, 'material'), field(part, 'model')];
    const models = field(scene, 'models');
    const materials = field(scene, 'materials');
    expectKey([...at, index, 'material'], material, materials, 'a material of the scene', report);
    expectKey([...at, index, 'model'], model, models, 'a model of the scene', report);
    const kind = typeof model === 'string' ? field(field(models, model), 'kind') : undefined;
    if (!isVolumeModelKind(kind)) continue;
    const found = kind === 'learned' ? 'is learned' : 'has voxels';
    report([...at, index, 'model'], `expected a model of triangles, '${String(model)}' ${found}`);
  }
  reportRepeats(namesOf(body, at), report);
  if (body !== undefined) return;
  for (const [index, mounted] of items(field(scenario, 'sensors')).entries()) {
    if (field(mounted, 'body') === undefined) continue;
    report(['sensors', index, 'body'], 'expected only with vehicle.body, found no body there');
  }
}

function checkMotions(scene: unknown, report: Report): void {
  const motions = field(scene, 'motions');
  for (const [index, placed] of items(field(scene, 'instances')).entries()) {
    const path = ['scene', 'instances', index, 'motion'];
    expectKey(path, field(placed, 'motion'), motions, 'a motion of the scene', report);
    const model = field(placed, 'model');
    const kind =
      typeof model === 'string' ? field(field(field(scene, 'models'), model), 'kind') : '';
    if (field(placed, 'motion') === undefined || kind !== 'voxels') continue;
    report(path, `expected no motion: '${String(model)}' is a voxel model, which cannot move`);
  }
  for (const [name, motion] of entries(motions)) {
    const at = ['scene', 'motions', name];
    const times = items(field(motion, 'keyframes')).map((keyframe) => field(keyframe, 'timeS'));
    for (const [index, timeS] of times.entries()) {
      const before = times[index - 1];
      if (typeof timeS !== 'number' || typeof before !== 'number' || timeS > before) continue;
      const message = `expected a time after ${before} s, that of the keyframe before, found ${timeS}`;
      report([...at, 'keyframes', index, 'timeS'], message);
    }
    const points = items(field(motion, 'pointsM')).map((point) => JSON.stringify(point));
    const isClosed = field(motion, 'closed') === true;
    for (const [index, point] of points.entries()) {
      // Behind the last point of a closed path comes the first.
      const before = index > 0 ? points[index - 1] : isClosed ? points.at(-1) : undefined;
      if (point !== before) continue;
      report([...at, 'pointsM', index], 'expected another point than the one before');
    }
  }
}

/** Plants of tiles are triangles, which do not move; drives do not know them. */
function checkLandscapes(scenario: unknown, report: Report): void {
  const scene = field(scenario, 'scene');
  const models = field(scene, 'models');
  for (const [index, landscape] of items(field(scene, 'landscapes')).entries()) {
    const at = ['scene', 'landscapes', index];
    const parts = ['stands', 'scatters'].flatMap((list) =>
      namesOf(field(landscape, list), [...at, list]),
    );
    reportRepeats(parts, report);
    for (const [number, scatter] of items(field(landscape, 'scatters')).entries()) {
      const name = field(scatter, 'model');
      const kind = typeof name === 'string' ? field(field(models, name), 'kind') : undefined;
      if (!isVolumeModelKind(kind)) continue;
      const message = `expected a model of triangles, '${String(name)}' has none`;
      report([...at, 'scatters', number, 'model'], message);
    }
  }
  if (items(field(scene, 'landscapes')).length === 0) return;
  for (const moving of ['wind', 'physics']) {
    if (field(scene, moving) === undefined) continue;
    report(['scene', moving], 'expected none beside a landscape, whose plants do not move');
  }
  if (field(scenario, 'mission') === undefined) return;
  report(
    ['mission'],
    'expected none beside a landscape: drives count no collisions with its plants',
  );
}

/** Bodies need physics. */
function checkPhysics(scene: unknown, report: Report): void {
  if (field(scene, 'physics') !== undefined) return;
  const motions = entries(field(scene, 'motions'));
  const body = motions.find(([, motion]) => field(motion, 'kind') === 'baked')?.[0];
  if (body === undefined) return;
  report(['scene', 'physics'], `expected with the motion '${body}' of kind baked, found nothing`);
}

function checkScatters(scene: unknown, report: Report): void {
  for (const { at, part } of tiledParts(scene, 'scatters')) {
    const isPoisson = field(part, 'pattern') === 'poisson-disk';
    if (isPoisson === (field(part, 'minSpacingM') !== undefined)) continue;
    report(
      [...at, 'minSpacingM'],
      isPoisson
        ? 'expected a spacing for poisson-disk, found nothing'
        : "expected only with pattern 'poisson-disk'",
    );
  }
}

function checkInstanceNames(scene: unknown, report: Report): void {
  const placed = ['walls', 'instances'].flatMap((kind) =>
    namesOf(field(scene, kind), ['scene', kind]),
  );
  const scattered = ['scatters', 'stands', 'landscapes'].flatMap((kind) =>
    namesOf(field(scene, kind), ['scene', kind]),
  );
  reportRepeats([...placed, ...scattered], report);
  for (const { name, path } of [...placed, ...scattered]) {
    if (name === 'ground') report(path, "expected another name, 'ground' is the ground's");
  }
  const kindOf = new Map(
    scattered.map(({ name, path }) => [name, path[1] === 'stands' ? 'stand' : 'scatter']),
  );
  for (const { name, path } of placed) {
    const copyOf = scatterOfCopy(name);
    const kind = kindOf.get(copyOf ?? '');
    if (kind !== undefined) {
      report(path, `expected another name, '${name}' is a copy of the ${kind} '${copyOf}'`);
    }
  }
}

/** Names of the classes that the instances of a scenario have, in no order; data of any kind. */
export function classNamesOf(scenario: unknown): string[] {
  const scene = field(scenario, 'scene');
  const scatters = tiledParts(scene, 'scatters').map(({ part }) => part);
  const placed = [...items(field(scene, 'instances')), ...scatters];
  const names = placed.map((one) => field(one, 'class') ?? field(one, 'model'));
  const stands = tiledParts(scene, 'stands').map(({ part }) => {
    const kind = field(part, 'kind');
    return field(part, 'class') ?? (kind === 'dead-wood' || kind === 'litter' ? kind : 'tree');
  });
  const hasGround = !['none', undefined].includes(field(field(scene, 'ground'), 'kind') as string);
  return [
    ...new Set([
      ...(hasGround ? ['ground'] : []),
      ...(items(field(scene, 'walls')).length > 0 ? ['wall'] : []),
      ...[...names, ...stands].filter((name) => typeof name === 'string'),
      ...(field(field(scenario, 'vehicle'), 'body') === undefined ? [] : [vehicleClass]),
      'noise',
      ...entries(field(scene, 'weather')).map(([kind]) => (kind === 'wheelDust' ? 'dust' : kind)),
    ]),
  ];
}

/** The atmosphere's extinction of what the weather has too would count twice; dust is raised by motions that there are. */
function checkWeather(scene: unknown, report: Report): void {
  const weather = field(scene, 'weather');
  const twice = (part: 'rainMmPerH' | 'visibilityKm', kinds: readonly string[]): void => {
    const value = field(field(scene, 'atmosphere'), part);
    if (typeof value !== 'number' || value === 0) return;
    const kind = kinds.find((one) => field(weather, one) !== undefined);
    if (kind === undefined) return;
    const message = `expected none beside scene.weather.${kind}, which has its own extinction, found ${value}`;
    report(['scene', 'atmosphere', part], message);
  };
  twice('rainMmPerH', ['rain', 'snow']);
  twice('visibilityKm', ['fog', 'smoke', 'dust']);
  const at = ['scene', 'weather', 'wheelDust', 'motions'];
  const motions = field(scene, 'motions');
  for (const [index, name] of items(field(field(weather, 'wheelDust'), 'motions')).entries()) {
    expectKey([...at, index], name, motions, 'a motion of the scene', report);
  }
}

function checkClasses(scenario: unknown, report: Report): void {
  const known = classNamesOf(scenario);
  for (const [name] of entries(field(field(scenario, 'scene'), 'classes'))) {
    if (known.includes(name)) continue;
    const message = `expected a class of the scene (${known.join(', ')}), found '${name}'`;
    report(['scene', 'classes', name], message);
  }
}

function expectKey(
  path: PropertyKey[],
  key: unknown,
  of: unknown,
  what: string,
  report: Report,
): void {
  if (typeof key !== 'string' || field(of, key) !== undefined) return;
  const known = entries(of).map(([name]) => name);
  report(path, `expected ${what} (${known.join(', ') || 'none is defined'}), found '${key}'`);
}

function reportRepeats(named: { name: string; path: PropertyKey[] }[], report: Report): void {
  const seen = new Set<string>();
  for (const { name, path } of named) {
    if (seen.has(name)) report(path, `expected a unique name, '${name}' is used before`);
    seen.add(name);
  }
}

function namesOf(list: unknown, at: PropertyKey[]): { name: string; path: PropertyKey[] }[] {
  return items(list).flatMap((item, index) => {
    const name = field(item, 'name');
    return typeof name === 'string' ? [{ name, path: [...at, index, 'name'] }] : [];
  });
}
