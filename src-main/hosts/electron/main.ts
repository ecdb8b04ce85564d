// Entry of the desktop app.
import { startDesktop } from './desktop.ts';

startDesktop();
