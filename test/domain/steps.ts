// Work in steps (domain/shared/steps.ts), carried out at once.
import type { Steps } from '#domain/shared/steps.ts';

export function atOnce<T>(steps: Steps<T>): T {
  return withCosts(steps).value;
}

/** The result, and what each step cost. */
export function withCosts<T>(steps: Steps<T>): { value: T; costs: number[] } {
  const costs: number[] = [];
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, costs };
    costs.push(step.value);
  }
}
