// Headers of every answer of the web host and of every file of the window: how the page is to be treated.

/**
 * A strict content policy, no sniffing, no frames, no referrer. `sockets`: what the page may connect to besides its
 * own address. `nonce`: of inline styles and scripts that are allowed; none where it is left out.
 */
export function pageHeaders(
  sockets: readonly string[] = [],
  nonce?: string,
): Record<string, string> {
  const own = nonce === undefined ? "'self'" : `'self' 'nonce-${nonce}'`;
  return {
    'Content-Security-Policy': [
      "default-src 'self'",
      `script-src ${own}`,
      `style-src ${own}`,
      ["connect-src 'self'", ...sockets].join(' '),
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}
