// The cookies in which a browser keeps a session, so that no script reads it. One holds the refresh token: only the session routes
// ever see it, and no other site's page can make a browser send it. The other shows the session on the service's own pages: a
// link from elsewhere brings it along, a form from elsewhere does not, and no route but those of pages looks at it.
import type { RefreshGrant } from '../domain/notes.ts';

// Over TLS the names have prefixes (RFC 6265bis, 4.1.3): browsers then refuse one that came without TLS and, of `__Host-`, which no
// cookie with a path may have, one that another host of the domain has set.

function refreshName(secure: boolean): string {
  return secure ? '__Secure-meshwork_refresh' : 'meshwork_refresh';
}

function pageName(secure: boolean): string {
  return secure ? '__Host-meshwork_page' : 'meshwork_page';
}

/** Of several cookies that are called the same the last one counts. */
function cookieOf(request: Request, name: string): string | null {
  const header = request.headers.get('cookie');
  if (header === null) return null;
  const sent = header
    .split(';')
    .map((pair) => pair.trim())
    .findLast((pair) => pair.split('=', 1)[0] === name);
  return sent === undefined ? null : sent.slice(name.length + 1);
}

/** The refresh token that a request brings; null when it brings none. */
export function refreshTokenOf(request: Request, secure: boolean): string | null {
  return cookieOf(request, refreshName(secure));
}

/** What a request brings in the page cookie; null when it brings none. */
export function pageCookieOf(request: Request, secure: boolean): string | null {
  return cookieOf(request, pageName(secure));
}

/** Set-Cookie for the page cookie; browsers keep it for so long. */
export function pageCookie(value: string, life_seconds: number, secure: boolean): string {
  const flags = `Path=/; Max-Age=${life_seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  return `${pageName(secure)}=${value}; ${flags}`;
}

/** Set-Cookie for both tokens of a session; null takes both back. With `secure` browsers send them over TLS alone. */
export function sessionCookies(grant: RefreshGrant | null, secure: boolean): readonly string[] {
  const { token, page_token, life_seconds } = grant ?? { token: '', page_token: '', life_seconds: 0 };
  const flags = `Path=/api/auth/session; Max-Age=${life_seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  return [`${refreshName(secure)}=${token}; ${flags}`, pageCookie(page_token, life_seconds, secure)];
}
