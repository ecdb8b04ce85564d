// Stored layouts, as text: the one in use of each activity, and those that the user gave a name. Text that
// cannot be understood is left out: invalid data never blocks the page.
import { jsonOf } from '#renderer/logic/storedTexts.ts';
import type { DockLayout } from './dockLayout.ts';

/** Raised when an older page could not understand what is stored. */
const version = 1;

export interface StoredLayout {
  dock: DockLayout;
  /** Panels that there were when it was stored: others are new since. */
  known: string[];
}

export interface SavedLayout extends StoredLayout {
  name: string;
  activity: string;
}

export interface StoredLayouts {
  /** By activity. One that is as it was at first is not stored. */
  current: Record<string, StoredLayout>;
  saved: SavedLayout[];
}

/** Checks the dock of a layout that was stored (dockLayout.ts, checkLayout). */
export type CheckDock = (value: unknown, activity: string) => DockLayout | null;

export function noLayouts(): StoredLayouts {
  return { current: {}, saved: [] };
}

export function writeLayouts(layouts: StoredLayouts): string {
  return JSON.stringify({ version, ...layouts });
}

/** The layouts in a text; none where it is missing, broken or of another version. */
export function readLayouts(text: string | null, checkDock: CheckDock): StoredLayouts {
  const stored = noLayouts();
  const value = jsonOf(text);
  if (!isRecord(value) || value['version'] !== version) return stored;
  const { current, saved } = value;
  for (const [activity, layout] of Object.entries(isRecord(current) ? current : {})) {
    const checked = checkStored(layout, activity, checkDock);
    if (checked !== null) stored.current[activity] = checked;
  }
  for (const layout of Array.isArray(saved) ? (saved as unknown[]) : []) {
    if (!isRecord(layout)) continue;
    const { name, activity } = layout;
    if (typeof name !== 'string' || name === '' || typeof activity !== 'string') continue;
    const checked = checkStored(layout, activity, checkDock);
    if (checked !== null) stored.saved.push({ name, activity, ...checked });
  }
  return stored;
}

/** With one more, in place of one of the same name. */
export function withSaved(saved: readonly SavedLayout[], layout: SavedLayout): SavedLayout[] {
  const others = saved.filter(
    ({ name, activity }) => name !== layout.name || activity !== layout.activity,
  );
  return [...others, layout].sort((one, other) => one.name.localeCompare(other.name));
}

function checkStored(layout: unknown, activity: string, checkDock: CheckDock): StoredLayout | null {
  if (!isRecord(layout) || !Array.isArray(layout['known'])) return null;
  const dock = checkDock(layout['dock'], activity);
  const known = layout['known'].filter((id) => typeof id === 'string');
  return dock === null ? null : { dock, known };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
