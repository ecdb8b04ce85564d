// The bridge between page and main process: everything that the page can reach, in one object. Built as
// CommonJS, since a sandboxed preload is.
import { contextBridge, ipcRenderer, webUtils } from 'electron';
import {
  portMessage,
  shellMessages,
  type FileRequest,
  type ShellBridge,
  type ShellCommand,
} from '#contract/host/shell.ts';

const bridge: ShellBridge = {
  connect: () => ipcRenderer.send(shellMessages.connect),
  pathOfFile: (file) => webUtils.getPathForFile(file as File),
  chooseFile: (request: FileRequest) =>
    ipcRenderer.invoke(shellMessages.chooseFile, request) as Promise<string | null>,
  onCommand: (listener) => {
    ipcRenderer.on(shellMessages.command, (_event, command: ShellCommand) => listener(command));
  },
  onOpenFile: (listener) => {
    ipcRenderer.on(shellMessages.openFile, (_event, file: string) => listener(file));
  },
};

contextBridge.exposeInMainWorld('understory', bridge);

// Why a message of the window: a port cannot pass through the context bridge.
ipcRenderer.on(shellMessages.port, (event) => {
  window.postMessage(portMessage, window.location.origin, event.ports);
});
