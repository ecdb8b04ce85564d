// app://understory/…: the files of the built page, and nothing else, for the window.
import { pageHeaders } from '#hosts/pageHeaders.ts';
import { readStaticFile } from '#hosts/staticFiles.ts';
import { isOwnAddress } from './window.ts';

const headers = pageHeaders();

/** Answers one request of the window: as `protocol.handle` takes it. */
export async function answerPageRequest(
  rendererFolder: string,
  request: Request,
): Promise<Response> {
  const isOwn = isOwnAddress(request.url) && request.method === 'GET';
  const file = isOwn ? await readStaticFile(rendererFolder, new URL(request.url).pathname) : null;
  if (file === null) {
    return new Response('There is no such file.\n', { status: 404, headers });
  }
  return new Response(new Uint8Array(file.bytes), {
    headers: { ...headers, 'Content-Type': file.mimeType },
  });
}
