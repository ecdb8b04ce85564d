// What every answer of the web host says about how browsers are to treat it.

/** The headers of every answer: a strict content policy, no sniffing, no frames, no referrer. */
export function securityHeaders(port: number): Record<string, string> {
  const sockets = `ws://127.0.0.1:${port} ws://localhost:${port}`;
  return {
    'Content-Security-Policy': [
      "default-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
      `connect-src 'self' ${sockets}`,
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
