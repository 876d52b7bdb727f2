// The sender of an HTTP request: credentials, address, and whether a page in a browser sent it. All HTTP transports use this, so that
// credentials work alike at all of them.

import { acceptedLanguage } from '../domain/language.ts';
import type { RefreshGrant } from '../domain/notes.ts';
import { traceOf } from '../domain/trace.ts';
import type { Credentials, Origin } from '../pipeline/call.ts';

/** The sender of a request. */
interface Sender {
  readonly credential: Credentials;
  readonly origin: Origin;
}

function bearerOf(request: Request): string | null {
  const header = request.headers.get('authorization');
  if (header === null) return null;
  const [scheme = '', token = ''] = header.split(' ', 2);
  // Another scheme is a credential too, and a wrong one: it must not pass for none.
  return scheme.toLowerCase() === 'bearer' ? token : header;
}

const NONE = (): null => null;

/** The sender of a request; `ip` finds the client's address, `refresh` its refresh token at the door that takes one. */
export function senderOf(
  request: Request,
  ip: (request: Request) => string,
  refresh: () => string | null = NONE,
): Sender {
  const { headers } = request;
  const [key, bearer] = [headers.get('x-api-key'), bearerOf(request)];
  return {
    credential: {
      // A template that had nothing to fill in; alone it is a credential, and a wrong one.
      key: key === '' && bearer !== null ? null : key,
      bearer,
      platform: headers.get('x-internal-token'),
      get refresh() {
        return refresh();
      },
    },
    origin: {
      get ip() {
        return ip(request);
      },
      get path() {
        return new URL(request.url).pathname;
      },
      method: request.method,
      browser: headers.has('origin'),
      // Read only when it is used.
      get trace() {
        return traceOf(headers.get('traceparent'), headers.get('tracestate'));
      },
      get language() {
        return acceptedLanguage(headers.get('accept-language'));
      },
    },
  };
}

/** The origin of a message that may name a trace of its own, which then counts in place of the request's. */
export function withTrace(origin: Origin, { traceparent, tracestate }: Readonly<Record<string, unknown>>): Origin {
  if (typeof traceparent !== 'string') return origin;
  const trace = traceOf(traceparent, typeof tracestate === 'string' ? tracestate : null);
  return trace === null ? origin : { ...origin, trace };
}

// A browser session's cookies, which no script can read. One holds the refresh token: only the session routes get it, and no other
// site's page can make a browser send it. The other identifies the session on the service's own pages: links from other sites send
// it, forms from other sites do not, and only the routes of pages read it.

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

/** The page cookie of a request, or null. */
export function pageCookieOf(request: Request, secure: boolean): string | null {
  return cookieOf(request, pageName(secure));
}

/** Set-Cookie for the page cookie, with its life. */
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
