// Rules of a compiled scenario that a schema cannot say: its parts agree with each other. domain/scene and domain/sensor
// write it so; of one that comes from elsewhere it is checked.
import { oneLine, type LocatedProblem } from '../documents/problems.ts';
import type { SceneRecipe } from '../worker/recipe.ts';
import type { LaserBankRecipe } from '../worker/sensorRecipe.ts';
import type { CompiledScenario } from './run.ts';

type Report = (path: PropertyKey[], expected: string, found: unknown) => void;

/** Every reference to nothing, and everything that differs between scenario and recipes. */
export function compiledProblems(compiled: CompiledScenario): LocatedProblem[] {
  const problems: LocatedProblem[] = [];
  const report: Report = (path, expected, found) => {
    const message = `expected ${expected}, found ${String(found)}`;
    problems.push({ path, code: 'custom', message });
  };
  checkNames(compiled.recipe, report);
  checkModels(compiled.recipe, report);
  checkObjects(compiled, report);
  checkMotions(compiled.recipe, report);
  checkSensors(compiled, report);
  return problems;
}

/** Posts of the height field, as many as heights travel beside the scenario; 0: there is none. */
export function heightCountOf({ models }: SceneRecipe): number {
  const fields = models.flatMap(({ source }) => (source.kind === 'height-field' ? [source] : []));
  return fields.reduce((sum, { columns, rows }) => sum + columns * rows, 0);
}

/** Names of a document, and those that compiling makes of them (`wall:NAME`). */
function checkNames(recipe: SceneRecipe, report: Report): void {
  const { classes, materials, models, instances, scatters, motions = [] } = recipe;
  for (const [index, name] of classes.entries()) {
    if (!isName(name)) report(['recipe', 'classes', index], 'a name', oneLine(name));
  }
  for (const [key, list] of Object.entries({ materials, models, instances, scatters, motions })) {
    for (const [index, { name }] of list.entries()) {
      if (!isName(name)) report(['recipe', key, index, 'name'], 'a name', oneLine(name));
    }
  }
}

function isName(name: string): boolean {
  return /^[\w.:-]{1,100}$/.test(name);
}

function checkModels({ models, materials }: SceneRecipe, report: Report): void {
  for (const [index, { source }] of models.entries()) {
    const at = ['recipe', 'models', index, 'source'];
    const used = [
      ...('material' in source ? [source.material] : []),
      ...('materials' in source ? Object.values(source.materials) : []),
    ];
    const absent = used.find((material) => material >= materials.length);
    if (absent !== undefined) report(at, `one of ${materials.length} materials`, absent);
  }
  if (models.filter(({ source }) => source.kind === 'height-field').length > 1) {
    report(['recipe', 'models'], 'one height field', 'several');
  }
}

function checkObjects({ scenario, recipe }: CompiledScenario, report: Report): void {
  const { scene } = scenario;
  const { models, classes, instances, scatters, landscapes = [], ground } = recipe;
  if (recipe.seed !== scenario.seed) {
    report(['recipe', 'seed'], `the scenario's ${scenario.seed}`, recipe.seed);
  }
  if (ground >= instances.length) {
    report(['recipe', 'ground'], `one of ${instances.length} instances`, ground);
  }
  let nextId = 1;
  const expectPlaced = (
    at: PropertyKey[],
    placed: { class: number; model: number },
    id: number,
  ): void => {
    if (id !== nextId) report(at, `the id ${nextId}`, id);
    if (placed.class >= classes.length)
      report(at, `one of ${classes.length} classes`, placed.class);
    if (placed.model >= models.length) report(at, `one of ${models.length} models`, placed.model);
  };
  for (const [index, instance] of instances.entries()) {
    expectPlaced(['recipe', 'instances', index], instance, instance.id);
    nextId = instance.id + 1;
  }
  if (scatters.length !== scene.scatters.length) {
    report(['recipe', 'scatters'], `the scenario's ${scene.scatters.length}`, scatters.length);
  }
  for (const [index, scatter] of scatters.entries()) {
    const at = ['recipe', 'scatters', index];
    expectPlaced(at, scatter, scatter.firstId);
    const written = scene.scatters[index];
    // Why: memory is reserved for each copy, and the scenario's schema has the bound.
    if (written !== undefined && written.count !== scatter.count) {
      report([...at, 'count'], `the scenario's ${written.count}`, scatter.count);
    }
    nextId = scatter.firstId + scatter.count;
  }
  for (const [index, { firstId, columns, rows, plantsPerSquare }] of landscapes.entries()) {
    const at = ['recipe', 'landscapes', index, 'firstId'];
    if (firstId !== nextId) report(at, `the id ${nextId}`, firstId);
    nextId = firstId + columns * rows * plantsPerSquare;
  }
}

function checkMotions({ instances, motions = [] }: SceneRecipe, report: Report): void {
  for (const [index, { motion }] of instances.entries()) {
    if (motion === undefined || motion < motions.length) continue;
    report(['recipe', 'instances', index, 'motion'], `one of ${motions.length} motions`, motion);
  }
  for (const [index, { law }] of motions.entries()) {
    if (law.kind !== 'keyframes') continue;
    const times = law.keyframes.map(({ timeS }) => timeS);
    const late = times.findIndex((timeS, at) => at > 0 && timeS <= (times[at - 1] ?? NaN));
    if (late > 0) report(['recipe', 'motions', index, 'law'], 'times that rise', times[late]);
  }
}

function checkSensors({ scenario, sensors }: CompiledScenario, report: Report): void {
  const mounts = scenario.sensors.map(({ name }) => name);
  const names = sensors.map(({ name }) => name);
  if (names.join(' ') !== mounts.join(' ')) {
    report(['sensors'], `those of the scenario (${mounts.join(', ')})`, names.join(', '));
  }
  for (const [index, { recipe }] of sensors.entries()) {
    const at = ['sensors', index, 'recipe'];
    const { banks, slotPattern } = recipe;
    const absent = slotPattern.find((bank) => bank >= banks.length);
    if (absent !== undefined)
      report([...at, 'slotPattern'], `one of ${banks.length} banks`, absent);
    for (const [number, bank] of banks.entries()) {
      const lasers = bank.elevationsRad.length;
      for (const [name, values] of Object.entries(bank) as [keyof LaserBankRecipe, number[]][]) {
        if (values.length === lasers) continue;
        report([...at, 'banks', number, name], `${lasers} values`, values.length);
      }
    }
  }
}
