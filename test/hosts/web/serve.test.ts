// The static side: what it gives away, and to whom. Sockets: sockets.test.ts.
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpGet } from './httpGet.ts';
import { startWebHost, type TestWebHost } from './webHost.ts';

let web: TestWebHost;
beforeAll(async () => {
  web = await startWebHost();
});
afterAll(() => web.close());

describe('the token', () => {
  it('is in the printed address, and in no answer of the host', async () => {
    const { pathname, search, hostname } = new URL(web.address);
    expect(hostname).toBe('127.0.0.1');
    const page = await httpGet(web.port, pathname + search);
    expect(page.status).toBe(200);
    expect(page.body).toContain('<title>page</title>');
    expect(JSON.stringify(page)).not.toContain(web.token);
    expect(page.headers['set-cookie']).toBeUndefined();
  });
});

describe('foreign pages and names', () => {
  it('refuses a Host that only resolves here', async () => {
    for (const host of ['evil.example', `evil.example:${web.port}`, '127.0.0.1', 'localhost:1']) {
      const answer = await httpGet(web.port, '/', { host });
      expect(answer.status, host).toBe(403);
    }
  });

  it('refuses requests of another origin', async () => {
    for (const origin of ['http://evil.example', 'null', `https://127.0.0.1:${web.port}`]) {
      const answer = await httpGet(web.port, '/', { origin });
      expect(answer.status, origin).toBe(403);
    }
  });

  it('answers nothing but GET and HEAD', async () => {
    expect((await httpGet(web.port, '/', {}, 'POST')).status).toBe(405);
    expect(await httpGet(web.port, '/', {}, 'HEAD')).toMatchObject({ status: 200, body: '' });
  });
});

describe('files', () => {
  const get = (path: string) => httpGet(web.port, path);

  it('never leave their folder', async () => {
    await symlink(
      join(web.outerFolder, 'secret.html'),
      join(web.outerFolder, 'renderer', 'linked.html'),
    );
    const paths = [
      '/../secret.html',
      '/assets/../../secret.html',
      '/%2e%2e/secret.html',
      '/..%2fsecret.html',
      '/%2e%2e%2fsecret.html',
      '/..%5csecret.html',
      '//etc/passwd',
      '/linked.html',
      '/index.html%00.js',
      '/%zz.html',
    ];
    for (const path of paths) {
      const answer = await get(path);
      expect(answer.status, path).toBe(404);
      expect(answer.body, path).not.toContain('secret');
    }
  });

  it('have their MIME type, or are not given', async () => {
    expect((await get('/')).headers['content-type']).toBe('text/html; charset=utf-8');
    const script = await get('/assets/index-1a2b.js');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(script.headers['cache-control']).toContain('immutable');
    expect((await get('/notes.txt')).status).toBe(404);
    expect((await get('/assets')).status).toBe(404);
  });

  it('come with a strict policy, refusals too', async () => {
    for (const answer of [await get('/'), await httpGet(web.port, '/', { host: 'evil.example' })]) {
      const policy = answer.headers['content-security-policy'];
      expect(policy).toContain("script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|data:/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  });
});
