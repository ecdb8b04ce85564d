// A plain HTTP request with any headers: fetch would not send a wrong Host or Origin.
import { request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocket } from 'ws';
import { socketProtocols } from '#contract/wire/socketProtocols.ts';

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Asks 127.0.0.1; the path goes out as it is written, dots and all. */
export function httpGet(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** The parts of the printed address that a page reads. */
export function partsOf(address: string): { port: number; token: string } {
  const { port, searchParams } = new URL(address);
  const token = searchParams.get('token');
  if (token === null) throw new Error(`${address} has no token`);
  return { port: Number(port), token };
}

/** A socket as the page of that address opens it; what is given replaces its token or headers. */
export function openPageSocket(
  address: string,
  { token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
): WebSocket {
  const own = partsOf(address);
  return new WebSocket(`ws://127.0.0.1:${own.port}/rpc`, socketProtocols(token ?? own.token), {
    headers: { origin: `http://127.0.0.1:${own.port}`, ...headers },
  });
}
