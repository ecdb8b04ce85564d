// Runs before each file of tests is imported. Why: files share processes (all.ts), and a library that is first imported
// while the last test of another file has left a `window` behind takes the process for a browser.
import { vi } from 'vitest';

vi.unstubAllGlobals();
