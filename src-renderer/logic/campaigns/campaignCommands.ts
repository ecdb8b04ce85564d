// The command lines that do what the Campaigns page does.
import { commandLine } from '#renderer/logic/commandLine.ts';

/** Filter, order and columns of the table of results. */
export interface ResultChoice {
  where: string;
  hasTiming: boolean;
  /** Null: all. */
  columns: readonly string[] | null;
}

export function planCommand(campaign: string): string {
  return commandLine(['campaign', 'plan', campaign], {});
}

/** `limit` null: all runs that are missing. */
export function runCommand(campaign: string, limit: number | null): string {
  return commandLine(['campaign', 'run', campaign], { limit: limit ?? undefined });
}

export function retryCommand(campaign: string): string {
  return commandLine(['campaign', 'retry', campaign], {});
}

export function resultsCommand(
  campaign: string,
  { where, hasTiming, columns }: ResultChoice,
): string {
  return commandLine(['campaign', 'results', campaign], {
    where: where.trim(),
    timing: hasTiming,
    columns: columns === null ? undefined : ['run', ...columns].join(','),
  });
}

export function groupCommand(campaign: string, by: readonly string[], where: string): string {
  const options = { 'group-by': by.join(','), where: where.trim() };
  return commandLine(['campaign', 'results', campaign], options);
}
