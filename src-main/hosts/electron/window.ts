// The one module that constructs windows: their options, and what they may not do, as data and pure
// functions that a test can read (Electron's security checklist, point by point).
// Guarantees: a window shows files of the app alone; no navigation, no second window, no permission, no
// request to anywhere else; what it sends is heard only from the app's own top frame.
import type {
  BrowserWindow,
  BrowserWindowConstructorOptions,
  Session,
  WebContents,
  WebFrameMain,
} from 'electron';

/** Scheme and address of the page. Why not file: it would see every file of the user. */
export const appScheme = 'app';
const appHost = 'understory';
export const appAddress = `${appScheme}://${appHost}/index.html`;

/** Privileges of the scheme: those of a web page that was loaded safely, and no more. */
export const schemePrivileges = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  allowServiceWorkers: false,
  bypassCSP: false,
  corsEnabled: false,
} as const;

export interface WindowBounds {
  x?: number;
  y?: number;
  width: number;
  height: number;
  isMaximized?: boolean;
}

/** `preloadFile`: absolute. `hasDevTools`: in a copy that is not packaged. */
export function windowOptions(
  preloadFile: string,
  { isMaximized: _, ...bounds }: WindowBounds,
  hasDevTools: boolean,
): BrowserWindowConstructorOptions {
  return {
    ...bounds,
    minWidth: 900,
    minHeight: 600,
    show: false,
    title: 'Understory',
    webPreferences: {
      preload: preloadFile,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: hasDevTools,
    },
  };
}

/** Whether an address may be loaded or asked for: files of the app, nothing else. */
export function isOwnAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  // Why not its origin: Node has none for a custom scheme.
  const { protocol, host } = new URL(address);
  return protocol === `${appScheme}:` && host === appHost;
}

/** Whether a message comes from the app's own page: its top frame, on its own origin. */
export function isOwnFrame(frame: Pick<WebFrameMain, 'url' | 'parent'> | null): boolean {
  return frame !== null && frame.parent === null && isOwnAddress(frame.url);
}

/** No page of the app asks for a permission; a request comes from another page. */
export function restrictSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, decide) => {
    decide({ cancel: !isOwnAddress(url) && !url.startsWith('devtools:') });
  });
}

/** For every WebContents there ever is, by 'web-contents-created'. */
export function restrictContents(contents: WebContents): void {
  const stayHere = (event: { url: string; preventDefault: () => void }): void => {
    if (!isOwnAddress(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stayHere);
  contents.on('will-frame-navigate', stayHere);
  contents.on('will-redirect', stayHere);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Opens the window and shows it when there is something to see. */
export function openWindow(
  Window: typeof BrowserWindow,
  options: { preloadFile: string; bounds: WindowBounds; hasDevTools: boolean },
): BrowserWindow {
  const { preloadFile, bounds, hasDevTools } = options;
  const window = new Window(windowOptions(preloadFile, bounds, hasDevTools));
  window.once('ready-to-show', () => {
    if (bounds.isMaximized === true) window.maximize();
    window.show();
  });
  void window.loadURL(appAddress);
  return window;
}
