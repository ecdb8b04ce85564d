// scenario.addModel: a learned model in a scenario that is there, or in a new one that a vehicle can drive through.
import { z } from 'zod';

const file = z.string().min(1);

/** Requests of `scenario.addModel`. */
export const addModelRequests = {
  'scenario.addModel': z
    .strictObject({
      model: file.describe('a learned model, absolute'),
      scenario: file
        .optional()
        .describe('id of a sample, or an absolute file, that gets the model; left out: a new one'),
      log: file
        .optional()
        .describe('absolute: a new scenario has its ground below it and drives along it'),
      out: file.describe('the scenario to write, absolute'),
      isReplacing: z.boolean().default(false).describe('false: a file that is there is refused'),
    })
    .refine(({ scenario, log }) => scenario === undefined || log === undefined, {
      path: ['log'],
      message: 'expected no log with a scenario, which has its own ground and mission',
    }),
} as const satisfies Record<string, z.ZodType>;

/** Replies of `scenario.addModel`. */
export interface AddModelReplies {
  /** `file`: the scenario that was written, absolute. */
  'scenario.addModel': { file: string };
}
