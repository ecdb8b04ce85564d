// Electron's kinds of ports as BytesPorts (contract/wire/portChannel.ts).
import type { MessagePortMain, ParentPort, UtilityProcess } from 'electron';
import type { BytesPort } from '#contract/wire/portChannel.ts';

/** The main process's end of a window's port. */
export function windowPort(port: MessagePortMain): BytesPort {
  return {
    post: (bytes) => port.postMessage(bytes),
    onMessage: (listener) => {
      port.on('message', ({ data }) => listener(data));
      port.start();
    },
    onClose: (listener) => port.on('close', () => listener('the window is gone')),
    close: () => port.close(),
  };
}

/** The host's end of a utility process; closing asks it to end. */
export function utilityPort(child: UtilityProcess): BytesPort {
  return {
    post: (bytes) => child.postMessage(bytes),
    onMessage: (listener) => child.on('message', listener),
    onClose: (listener) => child.on('exit', (code) => listener(`ended with exit code ${code}`)),
    close: () => child.postMessage(endOfHost),
  };
}

/** A utility process's end of its host. */
export function parentPort(port: ParentPort): BytesPort {
  const closeListeners: ((reason: string) => void)[] = [];
  return {
    post: (bytes) => port.postMessage(bytes),
    onMessage: (listener) =>
      port.on('message', ({ data }) => {
        if (data === endOfHost) for (const close of closeListeners) close('the host has ended');
        else listener(data);
      }),
    onClose: (listener) => closeListeners.push(listener),
    close: () => undefined,
  };
}

/** A host's last word to a utility process, which has no stdin to end. */
const endOfHost = 'end';
