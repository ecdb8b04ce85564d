// Entry of a run process under Electron: frames on the port of its utility process.
import { portChannel } from '#contract/wire/portChannel.ts';
import { serveRun } from '#hosts/runProcess/serveRun.ts';
import { parentPort } from './ports.ts';

serveRun(portChannel(parentPort(process.parentPort)));
