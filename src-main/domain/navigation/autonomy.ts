// The computer that drives the vehicle: scans, GPS and compass in, wheel speeds out, once a tick. It sees
// nothing of the truth. Estimator, cost map, planner and follower in a row; no clock, no time budget.
import type { Pose } from '#contract/run.ts';
import type { SensorRecipe } from '#contract/recipe.ts';
import type { Mission, Navigation, Vehicle } from '#contract/scenario.ts';
import type { CostMapView, TickInput, TickOutput } from './signals.ts';

export interface AutonomyOptions {
  vehicle: Vehicle;
  mission: Mission;
  navigation: Navigation;
  /** `mount` is vehicleFromSensor. */
  sensors: { mount: Pose; recipe: SensorRecipe }[];
}

export interface Autonomy {
  /** To be called for every tick, in order; the scans are those of the tick that ends at `timeNs`. */
  step(input: TickInput): TickOutput;
  /** The map as it is; the array is replaced, never written again, when the map changes. */
  map(): CostMapView;
}
