// The metrics of a planned scene: its counts, for the strip above its contents.
import type { Scenario } from '#contract/documents/scenario.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';

export interface SceneMetrics {
  /** With every copy counted. */
  triangles: number;
  instances: number;
  blades: number;
  trees: number;
  memoryBytes: number;
}

/** `isTree`: of a plant by its id, or file. */
export function sceneMetrics(
  scenario: Scenario,
  summary: SceneSummary,
  isTree: (plant: string) => boolean,
): SceneMetrics {
  const plants = new Set(
    Object.entries(scenario.scene.models).flatMap(([name, model]) =>
      model.kind === 'plant' && isTree(model.plant) ? [name] : [],
    ),
  );
  const sum = (of: (model: SceneSummary['models'][number]) => number): number =>
    summary.models.reduce((total, model) => total + of(model), 0);
  return {
    triangles: summary.instancedTriangles,
    instances: summary.instances,
    blades: sum(({ blades, instances }) => blades * instances),
    trees: sum(({ name, instances }) => (plants.has(name) ? instances : 0)),
    memoryBytes: summary.memoryBytes,
  };
}
