// The application menu, as data: what Menu.buildFromTemplate takes.
import type { MenuItemConstructorOptions } from 'electron';
import type { ShellCommand } from '#contract/host/shell.ts';

export interface MenuActions {
  send(command: ShellCommand): void;
  openFile(file: string): void;
  clearRecentFiles(): void;
  saveDiagnostics(): void;
}

/** `recentFiles`: absolute, the newest first. */
export function menuTemplate(
  recentFiles: readonly string[],
  actions: MenuActions,
): MenuItemConstructorOptions[] {
  const command = (
    label: string,
    accelerator: string,
    name: ShellCommand,
  ): MenuItemConstructorOptions => ({ label, accelerator, click: () => actions.send(name) });
  return [
    {
      label: '&File',
      submenu: [
        command('Open scenario…', 'CmdOrCtrl+O', 'open-scenario'),
        command('Import runs…', 'CmdOrCtrl+Shift+O', 'import-runs'),
        { label: 'Open recent', submenu: recentMenu(recentFiles, actions) },
        { type: 'separator' },
        { role: 'close' },
        { role: 'quit' },
      ],
    },
    { role: 'editMenu', label: '&Edit' },
    {
      label: '&View',
      submenu: [
        command('Command palette', 'CmdOrCtrl+K', 'show-palette'),
        command('Next theme', 'CmdOrCtrl+Shift+T', 'next-theme'),
        { type: 'separator' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { role: 'togglefullscreen' },
      ],
    },
    {
      label: '&Help',
      submenu: [
        { label: 'Keyboard shortcuts', click: () => actions.send('show-shortcuts') },
        { label: 'Save diagnostic bundle…', click: () => actions.saveDiagnostics() },
        { role: 'about' },
      ],
    },
  ];
}

function recentMenu(files: readonly string[], actions: MenuActions): MenuItemConstructorOptions[] {
  if (files.length === 0) return [{ label: 'No scenario was opened yet', enabled: false }];
  return [
    ...files.map((file) => ({ label: file, click: () => actions.openFile(file) })),
    { type: 'separator' },
    { label: 'Forget these', click: () => actions.clearRecentFiles() },
  ];
}
