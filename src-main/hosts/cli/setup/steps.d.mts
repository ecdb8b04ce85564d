/** A step without a stamp of its own. */
export interface Step {
  name: string;
  isDone(): boolean;
  /** Removes what the step cannot use, before any step runs. */
  prepare?(): void;
  run(): unknown;
}

/** Runs the steps that are not done yet, in order. */
export function runSteps(steps: readonly Step[]): Promise<void>;
