// Who may speak to the web host: only a page that this host served to somebody who knows its token.
// Why: any page in any browser of the machine can send requests to 127.0.0.1. The Host check refuses
// names that resolve here (DNS rebinding), the Origin check other pages, the token other users.
import { timingSafeEqual } from 'node:crypto';

/** The parts of a request that decide; as node:http gives them. */
export interface RequestFacts {
  host: string | undefined;
  origin: string | undefined;
  cookie: string | undefined;
}

export interface Access {
  /** `name=value; attributes`: what hands the token to the browser. */
  setCookie: string;
  /** True where the Host header names this host by loopback address or localhost, with its port. */
  isOwnHost(facts: RequestFacts): boolean;
  /** True for the origin of this host's own pages. A missing one is none. */
  isOwnOrigin(facts: RequestFacts): boolean;
  hasToken(facts: RequestFacts): boolean;
  /** Compares in constant time. */
  isToken(candidate: string | null): boolean;
}

/** `token`: random, without '=' or ';'. `port`: the one that the host listens on. */
export function createAccess(token: string, port: number): Access {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  // Why the port in the name: cookies are shared by all ports of a host name.
  const cookieName = `understory-${port}`;
  const expected = Buffer.from(token);

  return {
    setCookie: `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Strict`,
    isOwnHost: ({ host }) => host !== undefined && hosts.includes(host),
    isOwnOrigin: ({ host, origin }) => origin === `http://${host}` && hosts.includes(host ?? ''),
    hasToken: ({ cookie }) => isToken(cookieValue(cookie ?? '', cookieName)),
    isToken,
  };

  function isToken(candidate: string | null): boolean {
    const given = Buffer.from(candidate ?? '');
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}

function cookieValue(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const [key = '', value = ''] = pair.trim().split('=', 2);
    if (key === name) return value;
  }
  return null;
}
