// Calls and events between the page and the window it runs in. A browser has no such window: there
// `window.understory` is missing and everything goes through the host's methods.

/** Commands of the menu, and of the keys that it shows. */
export type ShellCommand =
  'open-scenario' | 'import-runs' | 'show-palette' | 'show-shortcuts' | 'next-theme';

/** `window.understory` in Electron: all that the preload exposes. */
export interface ShellBridge {
  /**
   * Asks for a connection to the host. It comes as a message of the window itself with data `portMessage`
   * and one MessagePort, for which portChannel.ts makes frames.
   */
  connect(): void;
  /** Absolute path of a dropped File; '' where it has none. */
  pathOfFile(file: object): string;
  /** Asks the user for a file. null: they cancelled. */
  chooseFile(request: FileRequest): Promise<string | null>;
  onCommand(listener: (command: ShellCommand) => void): void;
  /** A scenario, or a bundle of runs, that the user opened: by double click, the recent files, or a second start. */
  onOpenFile(listener: (file: string) => void): void;
}

export interface FileRequest {
  purpose: 'open-scenario' | 'open-mesh' | 'open-runs' | 'save';
  /** For 'save': proposed file name, without folder. */
  name?: string;
}

/** Data of the window message that carries the port. */
export const portMessage = 'understory:port';

/** Names of the messages between preload and main process. */
export const shellMessages = {
  connect: 'shell:connect',
  port: 'shell:port',
  chooseFile: 'shell:choose-file',
  command: 'shell:command',
  openFile: 'shell:open-file',
} as const;
