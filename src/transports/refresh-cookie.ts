// The cookie in which a browser keeps a session's refresh token: only the session routes ever see it, no script does, and no
// other site's page can make a browser send it.
import type { RefreshGrant } from '../domain/notes.ts';

const COOKIE = 'meshwork_refresh';

/** The refresh token that a request brings; null when it brings none. */
export function refreshTokenOf(request: Request): string | null {
  const header = request.headers.get('cookie');
  if (header === null) return null;
  // Of several that are called the same the last one counts.
  const sent = header
    .split(';')
    .map((pair) => pair.trim())
    .findLast((pair) => pair.split('=', 1)[0] === COOKIE);
  return sent === undefined ? null : sent.slice(COOKIE.length + 1);
}

/** Set-Cookie for a refresh token; null takes the cookie back. With `secure` browsers send it over TLS alone. */
export function refreshCookie(grant: RefreshGrant | null, secure: boolean): string {
  const { token, life_seconds } = grant ?? { token: '', life_seconds: 0 };
  const flags = `Path=/api/auth/session; Max-Age=${life_seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return `${COOKIE}=${token}; ${flags}`;
}
