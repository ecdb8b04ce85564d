// `understory upgrade`: rewrites documents of older versions as the present one, with their comments.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { addAction, jsonText } from '../command.ts';
import type { CommandHost } from './shared.ts';

/** Adds the command to the program. */
export function addUpgrade(program: Command, host: CommandHost): void {
  addAction(program, host, 'document.upgrade', {}, async (session, { request, args, isJson }) => {
    const { call, terminal, surroundings } = session;
    const replies = [];
    for (const name of args) {
      const file = resolve(surroundings.workingFolder, name);
      const { reply } = await call('document.upgrade', { ...request, file });
      replies.push({ file: name, ...reply });
      if (isJson) continue;
      const { format, from, to, notes } = reply;
      const change = from === to ? `version ${to}, up to date` : `version ${from} to ${to}`;
      const isUnwritten = request.isDryRun === true && from < to;
      terminal.print(`${name}: ${format}, ${change}${isUnwritten ? ' (not written)' : ''}`);
      for (const { path, message } of notes) terminal.print(`  ${path}: ${message}`);
    }
    if (isJson) terminal.print(jsonText(replies));
  });
}
