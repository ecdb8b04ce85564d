// Entry of a run process under Node: frames on stdin and stdout.
import { Console } from 'node:console';
import { stdioChannel } from '#workers/stdioChannel.ts';
import { serveRun } from './serveRun.ts';

// stdout carries frames only.
globalThis.console = new Console(process.stderr, process.stderr);

serveRun(stdioChannel(process.stdin, process.stdout));
