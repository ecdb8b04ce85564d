// The desktop app from its first window to its last: opens the host, its window, its menu, and decides when it
// ends. A second start passes its scenario to the first and ends.
import {
  app,
  BrowserWindow,
  crashReporter,
  dialog,
  ipcMain,
  Menu,
  MessageChannelMain,
  protocol,
  screen,
  session,
  type IpcMainEvent,
  type IpcMainInvokeEvent,
} from 'electron';
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toWire } from '#contract/errors.ts';
import { portChannel } from '#contract/wire/portChannel.ts';
import { createPeer } from '#contract/wire/rpc.ts';
import { shellMessages, type FileRequest } from '#contract/host/shell.ts';
import { openUnderstory, type Understory } from '#hosts/compose.ts';
import { cacheFolderOf, dataFolderOf } from '#hosts/dataFolder.ts';
import { logLevelOf } from '#hosts/logLevel.ts';
import { rendererFolder } from '#hosts/packageFolders.ts';
import { understoryVersion } from '#hosts/version.ts';
import { serveHandlers } from '#services/handlers.ts';
import { answerPageRequest } from './appProtocol.ts';
import { askClosing, askLeaving } from './closing.ts';
import { openDesktopState, placedBounds, type DesktopStateFile } from './desktopState.ts';
import { writeDiagnostics } from './diagnostics.ts';
import { menuTemplate } from './menu.ts';
import { windowPort } from './ports.ts';
import { bundleEnding, scenarioArguments, scenarioEnding } from './scenarioArguments.ts';
import { forkRunChild } from './utilityRuns.ts';
import {
  appScheme,
  isOwnFrame,
  openWindow,
  restrictContents,
  restrictSession,
  schemePrivileges,
} from './window.ts';

/** Beside main.js, where the build puts it. */
const preloadFile = fileURLToPath(new URL('preload.cjs', import.meta.url));
const crashReportEndings = ['.dmp', '.json'];

/** Runs the app. Called once, before Electron is ready. */
export function startDesktop(): void {
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges: schemePrivileges }]);
  // Reports stay on this machine: the diagnostic bundle names them.
  crashReporter.start({ uploadToServer: false });
  app.on('web-contents-created', (_event, contents) => restrictContents(contents));
  app.enableSandbox();
  app.whenReady().then(runDesktop).catch(giveUp);
}

async function runDesktop(): Promise<void> {
  const surroundings = {
    environment: process.env,
    homeFolder: homedir(),
    workingFolder: process.cwd(),
  };
  const dataFolder = dataFolderOf(surroundings);
  const understory = await openUnderstory({
    dataFolder,
    cacheFolder: cacheFolderOf(surroundings),
    logLevel: logLevelOf(surroundings),
    startRunChild: forkRunChild,
    isRecoveryAwaited: false,
  });
  const { log } = understory;
  const kept = openDesktopState(join(dataFolder, 'desktop.json'), (message) => log.warn(message));
  restrictSession(session.defaultSession);
  protocol.handle(appScheme, (request) => answerPageRequest(rendererFolder, request));
  logCrashes(understory);

  let window: BrowserWindow | null = null;
  const waiting: string[] = scenarioArguments(process.argv, surroundings.workingFolder);

  ipcMain.on(shellMessages.connect, (event) => {
    if (isOwnFrame(event.senderFrame)) connect(understory, event);
  });
  ipcMain.handle(shellMessages.chooseFile, (event, request: FileRequest) =>
    isOwnFrame(event.senderFrame) ? chooseFile(event, request) : null,
  );
  app.on('second-instance', (_event, argv, workingFolder) => {
    showWindow();
    for (const file of scenarioArguments(argv, workingFolder)) openFile(file);
  });
  app.on('open-file', (event, file) => {
    event.preventDefault();
    openFile(file);
  });
  app.on('window-all-closed', () => {
    window = null;
    // Why not at once: runs may still be under way. A window that was opened meanwhile stays.
    void understory.whenIdle().then(() => {
      if (window === null) app.quit();
    });
  });
  let isDisposed = false;
  app.on('will-quit', (event) => {
    if (isDisposed) return;
    event.preventDefault();
    const quit = (): void => {
      isDisposed = true;
      app.quit();
    };
    understory.dispose().then(quit, (error: unknown) => {
      log.error('the host did not close well', { ...toWire(error) });
      quit();
    });
  });
  showMenu();
  showWindow();

  function showWindow(): void {
    if (window !== null) {
      if (window.isMinimized()) window.restore();
      window.focus();
      return;
    }
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
    const bounds = placedBounds(kept.state.bounds, areas);
    window = openWindow(BrowserWindow, { preloadFile, bounds, hasDevTools: !app.isPackaged });
    rememberBounds(window, kept);
    askBeforeClosing(window, understory);
    // Why not 'did-finish-load': then isLoading() may still be true, and openFile would put the file back.
    window.webContents.on('did-stop-loading', () => {
      for (const file of waiting.splice(0)) openFile(file);
    });
  }

  function openFile(file: string): void {
    if (window === null || window.webContents.isLoading()) {
      waiting.push(file);
      return;
    }
    if (!file.endsWith(bundleEnding)) {
      kept.addRecentFile(file);
      app.addRecentDocument(file);
      showMenu();
    }
    window.webContents.send(shellMessages.openFile, file);
  }

  function showMenu(): void {
    const template = menuTemplate(kept.state.recentFiles, {
      send: (command) => window?.webContents.send(shellMessages.command, command),
      openFile,
      clearRecentFiles: () => {
        kept.clearRecentFiles();
        showMenu();
      },
      saveDiagnostics: () => void saveDiagnostics(dataFolder),
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate(template));
  }
}

/** Gives the page that asks a port to the handlers. */
function connect(understory: Understory, event: IpcMainEvent): void {
  const { port1, port2 } = new MessageChannelMain();
  const peer = createPeer(portChannel(windowPort(port1)), {
    serve: serveHandlers(understory.handlers),
    lostCode: 'cancelled',
  });
  const unsubscribe = understory.events.subscribe(({ name, body }) => peer.emit(name, body));
  void peer.closed.then(unsubscribe);
  event.senderFrame?.postMessage(shellMessages.port, null, [port2]);
}

const openFilters = {
  'open-mesh': { name: 'Meshes', extensions: ['obj', 'ply', 'stl'] },
  'open-runs': { name: 'Runs', extensions: [bundleEnding.slice(1), 'mcap'] },
  'open-scenario': { name: 'Scenarios', extensions: [scenarioEnding.slice(1), 'yaml', 'json'] },
};

async function chooseFile(
  event: IpcMainInvokeEvent,
  { purpose, name }: FileRequest,
): Promise<string | null> {
  const window = BrowserWindow.fromWebContents(event.sender);
  if (window === null) return null;
  if (purpose === 'save') {
    const { filePath } = await dialog.showSaveDialog(window, { defaultPath: name ?? '' });
    return filePath === '' ? null : filePath;
  }
  const { filePaths } = await dialog.showOpenDialog(window, {
    properties: ['openFile'],
    filters: [openFilters[purpose]],
  });
  return filePaths[0] ?? null;
}

function rememberBounds(window: BrowserWindow, kept: DesktopStateFile): void {
  window.on('close', () => {
    kept.keepBounds({ ...window.getNormalBounds(), isMaximized: window.isMaximized() });
  });
}

function askBeforeClosing(window: BrowserWindow, understory: Understory): void {
  window.webContents.on('will-prevent-unload', (event) => {
    // Here to prevent means: do not listen to the page, go.
    if (askLeaving(dialog, window)) event.preventDefault();
  });
  let isDecided = false;
  window.on('close', (event) => {
    const runs = understory.liveRuns();
    if (isDecided || runs === 0) return;
    event.preventDefault();
    void askClosing(dialog, window, runs).then((choice) => {
      if (choice === 'keep-open') return;
      isDecided = true;
      window.close();
      if (choice === 'stop') app.quit();
    });
  });
}

function logCrashes({ log }: Understory): void {
  app.on('render-process-gone', (_event, contents, { reason, exitCode }) => {
    if (reason === 'clean-exit') return;
    log.error('the page crashed and is loaded again', { reason, exitCode });
    contents.reload();
  });
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
    log.error('a process of the app crashed', { type, name, reason, exitCode });
  });
}

async function saveDiagnostics(dataFolder: string): Promise<void> {
  const { filePath } = await dialog.showSaveDialog({ defaultPath: 'understory-diagnostics.zip' });
  if (filePath === '') return;
  const { electron, chrome, node } = process.versions;
  try {
    writeDiagnostics(filePath, {
      dataFolder,
      version: understoryVersion,
      versions: { electron, chrome, node },
      crashReports: crashReports(app.getPath('crashDumps')),
    });
  } catch (error) {
    dialog.showErrorBox('The diagnostic bundle was not written', (error as Error).message);
  }
}

function crashReports(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      crashReportEndings.some((ending) => name.endsWith(ending)),
    );
  } catch {
    // Why swallowed: no folder, no crash.
    return [];
  }
}

function giveUp(error: unknown): void {
  dialog.showErrorBox(
    'Understory cannot start',
    error instanceof Error ? error.message : String(error),
  );
  app.exit(1);
}
