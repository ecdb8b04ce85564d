// Names that lead to a place of one machine, and names that do not.
import { z } from 'zod';

/** Whether a name says where a file is on one machine, by the rules of any operating system. */
export function isAbsoluteName(name: string): boolean {
  return /^([/\\]|[A-Za-z]:[/\\])/.test(name);
}

/** Why relative: a run or a bundle with the name of a place of one machine cannot be opened on another. */
export const fileBeside = z
  .string()
  .min(1)
  .refine((name) => !isAbsoluteName(name), 'expected a name relative to the scenario file');
