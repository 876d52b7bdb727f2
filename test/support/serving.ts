// A place outside where a capability is served, for what is about calls and not about the way to their providers.
import type { SafeHttp } from '../../src/outbound/safe-http/safe-http.ts';

/** Answers every call. */
export const SERVES_URL = 'https://serves.example/translate';

const ANSWER = new TextEncoder().encode('{"text":"Où est le port ?"}');

/** The world outside with that place in it. */
export function withServing(http: SafeHttp): SafeHttp {
  return {
    ...http,
    check: async (url) => (url === SERVES_URL ? null : http.check(url)),
    request: async (asked) => {
      if (asked.url !== SERVES_URL) return http.request(asked);
      const headers = { 'content-type': 'application/json' };
      return { ok: true, status: 200, headers, body: ANSWER, took_ms: 1 };
    },
  };
}
