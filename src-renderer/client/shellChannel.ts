// The page's end of a window of the desktop app: a port to the main process, asked for through the bridge.
import { portChannel } from '#contract/wire/portChannel.ts';
import type { Channel } from '#contract/wire/rpc.ts';
import { portMessage, type ShellBridge } from '#contract/host/shell.ts';

declare global {
  interface Window {
    /** In the desktop app only (contract/host/shell.ts). */
    readonly understory?: ShellBridge;
  }
}

/** Resolves once the main process has answered. */
export function openShellChannel(bridge: ShellBridge): Promise<Channel> {
  return new Promise((resolve) => {
    const take = ({ source, data, ports }: MessageEvent<unknown>): void => {
      const [port] = ports;
      if (source !== window || data !== portMessage || port === undefined) return;
      window.removeEventListener('message', take);
      resolve(channelOf(port));
    };
    window.addEventListener('message', take);
    bridge.connect();
  });
}

function channelOf(port: MessagePort): Channel {
  return portChannel({
    post: (bytes) => port.postMessage(bytes),
    onMessage: (listener) => {
      port.onmessage = ({ data }: MessageEvent<unknown>) => listener(data);
    },
    onClose: (listener) => port.addEventListener('close', () => listener('the host is gone')),
    close: () => port.close(),
  });
}
