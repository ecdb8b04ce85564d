// State of the desktop app between starts: where its window was, and which scenarios were opened. One small
// JSON file, written aside and renamed; one that cannot be read counts as none.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { maxDocumentBytes } from '#files/regularFile.ts';
import { readTextSync } from '#files/regularFileSync.ts';
import type { WindowBounds } from './window.ts';

const maxRecent = 10;
const minVisiblePx = 80;
const freshBounds: WindowBounds = { width: 1440, height: 900 };

const stateSchema = z.strictObject({
  bounds: z
    .strictObject({
      x: z.int(),
      y: z.int(),
      width: z.int().positive(),
      height: z.int().positive(),
      isMaximized: z.boolean(),
    })
    .nullable(),
  recentFiles: z.array(z.string().min(1)).max(maxRecent),
});
export type DesktopState = z.output<typeof stateSchema>;

/** A rectangle of the desktop: a screen's work area. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface DesktopStateFile {
  readonly state: DesktopState;
  keepBounds(bounds: NonNullable<DesktopState['bounds']>): void;
  /** Puts a file first; the oldest goes. */
  addRecentFile(file: string): void;
  clearRecentFiles(): void;
}

/** `onFailure` is called for a file that cannot be written: stored state is not worth a crash. */
export function openDesktopState(
  file: string,
  onFailure: (message: string) => void,
): DesktopStateFile {
  let state = readState(file);
  return {
    get state() {
      return state;
    },
    keepBounds: (bounds) => keep({ ...state, bounds }),
    addRecentFile: (added) => {
      const others = state.recentFiles.filter((known) => known !== added);
      keep({ ...state, recentFiles: [added, ...others].slice(0, maxRecent) });
    },
    clearRecentFiles: () => keep({ ...state, recentFiles: [] }),
  };

  function keep(next: DesktopState): void {
    state = next;
    try {
      writeFileSync(`${file}.part`, JSON.stringify(state, null, 2));
      renameSync(`${file}.part`, file);
    } catch (error) {
      rmSync(`${file}.part`, { force: true });
      onFailure(`${file} cannot be written: ${(error as Error).message}`);
    }
  }
}

/** Where the window goes: where it was, if enough of it would be on a screen that is there now. */
export function placedBounds(kept: DesktopState['bounds'], screens: readonly Area[]): WindowBounds {
  if (kept === null) return freshBounds;
  const isVisible = screens.some(
    (screen) =>
      overlap(kept.x, kept.width, screen.x, screen.width) >= minVisiblePx &&
      overlap(kept.y, kept.height, screen.y, screen.height) >= minVisiblePx,
  );
  const { width, height, isMaximized } = kept;
  return isVisible ? kept : { width, height, isMaximized };
}

function overlap(fromA: number, lengthA: number, fromB: number, lengthB: number): number {
  return Math.min(fromA + lengthA, fromB + lengthB) - Math.max(fromA, fromB);
}

function readState(file: string): DesktopState {
  try {
    return stateSchema.parse(JSON.parse(readTextSync(file, maxDocumentBytes)));
  } catch {
    // Why swallowed: missing at the first start, and otherwise not worth a question.
    return { bounds: null, recentFiles: [] };
  }
}
