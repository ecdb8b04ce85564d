// The files of the built page, for the web host and for the window.
// Guarantees: nothing outside the folder is ever read, whatever the path says and wherever links point.
import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

const mimeTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

export interface StaticFile {
  bytes: Buffer;
  mimeType: string;
  /** Vite names these by their content: they never change. */
  isImmutable: boolean;
}

/**
 * The file for the path of a URL (`/` is index.html), or null where there is none: unknown paths,
 * unknown kinds of file and every attempt to leave the folder look alike.
 */
export async function readStaticFile(folder: string, urlPath: string): Promise<StaticFile | null> {
  const path = decodePath(urlPath);
  if (path === null) return null;
  const mimeType = mimeTypes[extname(path)];
  if (mimeType === undefined) return null;
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, path));
    if (!file.startsWith(root + sep)) return null;
    return { bytes: await readFile(file), mimeType, isImmutable: path.startsWith('/assets/') };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function decodePath(urlPath: string): string | null {
  try {
    const path = decodeURIComponent(urlPath);
    if (path.includes('\0')) return null;
    return path === '/' ? '/index.html' : path;
  } catch {
    return null;
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ENAMETOOLONG';
}
