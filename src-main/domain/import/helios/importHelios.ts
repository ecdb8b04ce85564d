// Surveys and scenes of HELIOS++ (XML) as a scenario: parts of the scene, the legs as its survey, and the sensor of ours
// that the scanner's name means.
import type { Parsed } from '#contract/documents/problems.ts';
import { finishScene } from '../finishScene.ts';
import { createForeignMeshes, type ForeignFiles } from '../foreignMeshes.ts';
import { createTally, emptyScene, type ImportedScene, type Tally } from '../importedScene.ts';
import { refused } from '../table.ts';
import { addHeliosParts } from './heliosScene.ts';
import { heliosSurvey } from './heliosSurvey.ts';
import type { HeliosSurvey } from './heliosSurvey.ts';
import { descendantsOf, numberOf, type XmlElement } from './xml.ts';

export interface HeliosFiles extends ForeignFiles {
  /** Another XML file by its name in the survey; null: there is none. */
  readXml(name: string): Promise<Parsed<XmlElement> | null>;
}

/** @param document a survey that names a scene, or a scene alone; @param stem of files beside the scenario */
export async function importHelios(
  document: XmlElement,
  files: HeliosFiles,
  stem: string,
): Promise<Parsed<ImportedScene>> {
  const scene = emptyScene();
  const ignored = createTally();
  let sceneElement = descendantsOf(document, 'scene')[0];
  if (descendantsOf(document, 'survey').length > 0) {
    const survey = heliosSurvey(document, ignored);
    if (typeof survey === 'string') return refused('(file)', survey);
    const found = await elementOf(survey.scene, 'scene', files);
    if (found.value === null) return found;
    sceneElement = found.value;
    await addSurvey(survey, scene, files, ignored);
  }
  if (!sceneElement) return refused('(file)', 'expected a survey or a scene, found none');
  const meshes = createForeignMeshes(scene, files, stem);
  const problem = await addHeliosParts(sceneElement, meshes, ignored);
  if (problem !== null) return refused('scene', problem);
  const missing = meshes.missing().map((name) => {
    const message = `expected a mesh file: --meshes names the folder of HELIOS++, found no '${name}'`;
    return { path: 'filepath', code: 'not-found', message };
  });
  if (missing.length > 0) return { value: null, problems: missing };
  if (scene.instances.length === 0) {
    return refused('scene', 'expected a part by objloader, found none');
  }
  finishScene(scene, ignored);
  scene.notes.push('meshes stay where they are', ...meshes.notes());
  return { value: scene, problems: [] };
}

async function addSurvey(
  { survey, scanner, platform, notes }: HeliosSurvey,
  scene: ImportedScene,
  files: HeliosFiles,
  ignored: Tally,
): Promise<void> {
  for (const note of notes) scene.notes.push(note);
  if (survey === null) return;
  const isFlown = survey.kind === 'strips';
  const places = isFlown ? survey.strips : survey.positions;
  scene.imported.push({ what: survey.kind, count: places.length });
  if (survey.above === 'ground') {
    scene.notes.push(
      'legs on the ground stand on scene.ground; without one at the height of the origin: parts of the scene are objects',
    );
  }
  const id = sensorOf(scanner);
  const mount = await elementOf(platform, 'platform', files);
  const [place] = mount.value === null ? [] : descendantsOf(mount.value, 'scannerMount');
  const [x = 0, y = 0, z = 0] = ['x', 'y', 'z'].map((axis) => {
    return place ? (numberOf(place, axis) ?? 0) : 0;
  });
  // Why: a platform of HELIOS++ moves along its y, with x to the right; a tripod has the axes of the world.
  const positionM: [number, number, number] = isFlown ? [y, 0 - x, z] : [x, y, z];
  if (place && place.children.length > 0) ignored.add('turns of the scanner on its platform');
  if (mount.value === null) scene.notes.push(`platform '${platform}' was not found: no lever arm`);
  if (id === null) {
    scene.notes.push(`scanner '${scanner}' is none of ours: name one with --sensor`);
    scene.survey = { ...survey, mount: { positionM } };
  } else {
    scene.sensors.push({ name: 'scanner', sensor: id, mount: { positionM } });
    scene.survey = { ...survey, sensor: 'scanner' };
  }
}

/** The element with the id of a reference `FILE#ID`; the first one where it names none. */
async function elementOf(
  reference: string,
  name: string,
  files: HeliosFiles,
): Promise<Parsed<XmlElement>> {
  const [file = '', id] = reference.split('#');
  const document = await files.readXml(file);
  if (document === null) {
    return refused(name, `expected the file '${file}': --meshes names the folder of HELIOS++`);
  }
  if (document.value === null) {
    const [problem] = document.problems;
    return refused(name, `${file}: ${problem?.path}: ${problem?.message}`);
  }
  const found = descendantsOf(document.value, name);
  const meant = found.find(({ attributes }) => id === undefined || attributes['id'] === id);
  if (meant) return { value: meant, problems: [] };
  const ids = found.map(({ attributes }) => attributes['id']).join(', ');
  return refused(name, `expected a ${name} '${id}' in ${file}, found ${ids || 'none'}`);
}

/** The sensor of assets that a scanner's id means; null: none does. */
function sensorOf(scanner: string): string | null {
  const id = (scanner.split('#').at(-1) ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
  return sensors.find(([part]) => id.includes(part))?.[1] ?? null;
}

const sensors: [part: string, sensor: string][] = [
  ['vz400i', 'vz-400i'],
  ['vz400', 'vz-400'],
  ['vz600i', 'vz-600i'],
  ['vz2000i', 'vz-2000i'],
  ['hdl64', 'hdl-64e'],
  ['hdl32', 'hdl-32e'],
  ['vlp16', 'vlp-16'],
  ['puck', 'vlp-16'],
  ['vlp32', 'vlp-32c'],
  ['vls128', 'vls-128'],
  ['os0128', 'os0-128'],
  ['os1128', 'os1-128'],
  ['os2128', 'os2-128'],
  ['pandar64', 'pandar64'],
  ['lms291', 'lms-291'],
  ['lms511', 'lms-511'],
  ['utm30', 'utm-30lx'],
];
