// Closing of the last window: the user is asked about runs under way and unsaved work.
import type { BrowserWindow, Dialog } from 'electron';

export type ClosingChoice = 'keep-open' | 'leave-running' | 'stop';

/** In the order of the buttons; the first is also what Escape means. */
const closingChoices: readonly { choice: ClosingChoice; label: string }[] = [
  { choice: 'keep-open', label: 'Keep open' },
  { choice: 'leave-running', label: 'Close, and let it run to its end' },
  { choice: 'stop', label: 'Stop it and close' },
];

/** `runs`: how many are under way, at least one. */
export async function askClosing(
  dialog: Dialog,
  window: BrowserWindow,
  runs: number,
): Promise<ClosingChoice> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: runs === 1 ? 'A run is under way.' : `${runs} runs are under way.`,
    detail:
      'Without a window it can run to its end; open Understory again to watch it. Stopped, it keeps what it has recorded.',
    buttons: closingChoices.map(({ label }) => label),
    defaultId: 1,
    cancelId: 0,
    noLink: true,
  });
  return closingChoices[response]?.choice ?? 'keep-open';
}

/** Whether the page may go although it holds what was not saved. Waits: the page is about to go. */
export function askLeaving(dialog: Dialog, window: BrowserWindow): boolean {
  const response = dialog.showMessageBoxSync(window, {
    type: 'question',
    message: 'A scenario was changed and not saved.',
    detail: 'If you leave now, the changes are lost.',
    buttons: ['Stay', 'Leave without saving'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  });
  return response === 1;
}
