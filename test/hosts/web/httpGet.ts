// A plain HTTP request with any headers: fetch would not send a wrong Host or Origin.
import { request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';

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

/** Follows the printed address as a browser would: the cookie that it leaves with the browser. */
export async function signIn(address: string): Promise<{ port: number; cookie: string }> {
  const url = new URL(address);
  const answer = await httpGet(Number(url.port), url.pathname + url.search);
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`no cookie came with ${answer.status}`);
  return { port: Number(url.port), cookie };
}
