// Long work in steps, so that the thread that does it can let others have their turn in between. Pure: what a step is does
// not depend on the clock.

/** Yields the cost of each step, in operations of about a nanosecond; at most some `maxStepCost`. */
export type Steps<T> = Generator<number, T, void>;

/** Some two milliseconds. */
export const maxStepCost = 2_000_000;
