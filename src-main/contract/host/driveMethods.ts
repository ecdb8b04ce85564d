// A drive from its order to its end: started, followed, paused, driven by hand.
import { z } from 'zod';
import { finite, positive, seedNumber, vector2 } from '../documents/quantities.ts';
import { plannerOrderSchema } from './planner.ts';
import { isa, runId, settings, threads } from './requestFields.ts';
import { type DriveCommand, driveControls, type RunEnding } from './run.ts';

const speed = positive
  .max(1000)
  .nullable()
  .describe('simulated seconds a second at most; null: as fast as it can');

/** Requests about drives. */
export const driveRequests = {
  'drive.start': z.strictObject({
    scenario: z.string(),
    sensor: z.string().optional().describe("replaces the scenario's sensors by this one"),
    startM: vector2.optional().describe("instead of the mission's"),
    goalM: vector2.optional().describe("in place of the mission's; x and y, world"),
    seconds: positive
      .optional()
      .describe('simulated time after which the run ends; default: until the goal or the timeout'),
    seed: seedNumber.optional().describe("default: the scenario's"),
    settings,
    control: z.enum(driveControls).optional().describe('default: autonomy'),
    commandHoldS: positive
      .optional()
      .describe('by hand: wall time after which the vehicle stops without a command; default: 0.5'),
    commands: runId
      .optional()
      .describe('drives as this run was driven, by the commands in its recording, to its end'),
    planner: plannerOrderSchema
      .optional()
      .describe("an external planner decides (control 'external'); PROTOCOL.md"),
    speed: speed.optional().describe('default: as fast as it can; by hand 1'),
    isPaused: z.boolean().optional().describe('pauses after its first tick'),
    isPipelined: z
      .boolean()
      .default(true)
      .describe('scans and decisions overlap; the bytes are the same either way'),
    viewPoints: z.int().min(0).max(2_000_000).optional().describe('most points of a view'),
    keepsScene: z
      .boolean()
      .optional()
      .describe(
        'the process of the run stays with its scene for the next drive that asks so; an equal scene is not built again',
      ),
    threads,
    isa,
  }),
  'drive.stop': z.strictObject({ runId }),
  'drive.control': z.strictObject({
    runId,
    isPaused: z.boolean().optional().describe('true pauses before the next tick, false resumes'),
    steps: z.int().min(1).max(10_000).optional().describe('pauses after so many more ticks'),
    speed: speed.optional().describe('new pace'),
  }),
  'drive.together': z.strictObject({
    runIds: z.array(runId).min(1).max(16).describe('a single run waits for no other'),
  }),
  'drive.command': z.strictObject({ runId, speedMPerS: finite, yawRateRadPerS: finite }),
  'drive.watch': z.strictObject({
    runId,
    maxPoints: z.int().min(0).max(2_000_000).default(60_000).describe('points per view at most'),
  }),
} as const satisfies Record<string, z.ZodType>;

/** Replies about drives. */
export interface DriveReplies {
  /** Replies as soon as the run is catalogued; follow it with drive.watch. */
  'drive.start': { runId: string };
  'drive.stop': { stopped: boolean };
  /** Nothing is taken by a run that has ended; views show the state of the run. */
  'drive.control': { taken: boolean };
  /** Active runs that show the same simulated time from now on; a run that is ahead waits. */
  'drive.together': { inStep: string[] };
  /** Taken by runs that are driven by hand; `command`: within the limits of the vehicle. */
  'drive.command': { taken: boolean; command?: DriveCommand };
  /** Chunks: RunView with its columns, until the run ends. Reply: how it ended. */
  'drive.watch': RunEnding;
}
