// Who gets in, and what the static side gives away.
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
  it('is asked for by every path', async () => {
    for (const path of ['/', '/index.html', '/assets/index-1a2b.js', '/?token=wrong']) {
      expect((await httpGet(web.port, path)).status, path).toBe(403);
    }
  });

  it('is taken from the printed address, kept in a strict cookie, and leaves the address', async () => {
    const url = new URL(web.address);
    expect(url.hostname).toBe('127.0.0.1');
    const answer = await httpGet(web.port, url.pathname + url.search);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toBe('/');
    expect(answer.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Strict$/);
    const page = await httpGet(web.port, '/', { cookie: web.cookie });
    expect(page.status).toBe(200);
    expect(page.body).toContain('<title>page</title>');
  });

  it('is refused with one letter changed or cut off', async () => {
    const cut = web.cookie.slice(0, -1);
    const last = web.cookie.at(-1) === 'A' ? 'B' : 'A';
    for (const cookie of [cut, cut + last, `x${web.cookie}`]) {
      expect((await httpGet(web.port, '/', { cookie })).status).toBe(403);
    }
  });
});

describe('foreign pages and names', () => {
  it('refuses a Host that only resolves here', async () => {
    for (const host of ['evil.example', `evil.example:${web.port}`, '127.0.0.1', 'localhost:1']) {
      const answer = await httpGet(web.port, '/', { cookie: web.cookie, host });
      expect(answer.status, host).toBe(403);
    }
  });

  it('refuses requests of another origin, the cookie notwithstanding', async () => {
    for (const origin of ['http://evil.example', 'null', `https://127.0.0.1:${web.port}`]) {
      const answer = await httpGet(web.port, '/', { cookie: web.cookie, origin });
      expect(answer.status, origin).toBe(403);
    }
  });

  it('answers nothing but GET and HEAD', async () => {
    const headers = { cookie: web.cookie };
    expect((await httpGet(web.port, '/', headers, 'POST')).status).toBe(405);
    expect(await httpGet(web.port, '/', headers, 'HEAD')).toMatchObject({ status: 200, body: '' });
  });
});

describe('files', () => {
  const get = (path: string) => httpGet(web.port, path, { cookie: web.cookie });

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
    for (const answer of [await get('/'), await httpGet(web.port, '/')]) {
      const policy = answer.headers['content-security-policy'];
      expect(policy).toContain("script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|data:/);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
    }
  });
});
