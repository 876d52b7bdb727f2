// A reader of pages without a browser: keeps cookies as one does, knows what its forms hold, and sends them from where it is told.
import { codeFor, type TestService } from './testbed.ts';

export interface Shown {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
  /** Where a redirect leads; null for a page. */
  readonly location: string | null;
}

interface Posting {
  /** In place of the service's own; null sends none. */
  readonly origin?: string | null;
  readonly ip?: string;
  /** In place of the token that was last shown; null sends none. */
  readonly form_token?: string | null;
}

export interface Reader {
  readonly cookies: Map<string, string>;
  /** The token of the form that was last shown. */
  form_token(): string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Shown>;
  post(path: string, fields: Readonly<Record<string, string>>, posting?: Posting): Promise<Shown>;
}

const TOKEN = /name="form_token" value="([^"]*)"/;

/** A reader that has read nothing yet. */
export function newReader(t: Pick<TestService, 'fetch'>, base_url = 'http://localhost'): Reader {
  const cookies = new Map<string, string>();
  let token = '';
  const send = async (path: string, init: RequestInit & { headers: Headers }): Promise<Shown> => {
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (sent !== '') init.headers.set('Cookie', sent);
    const response = await t.fetch(new Request(`${base_url}${path}`, { ...init, redirect: 'manual' }));
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';', 1);
      const [name = ''] = pair.split('=', 1);
      if (set.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, pair.slice(name.length + 1));
    }
    const text = await response.text();
    token = TOKEN.exec(text)?.[1] ?? token;
    return { status: response.status, text, headers: response.headers, location: response.headers.get('location') };
  };
  return {
    cookies,
    form_token: () => token,
    get: (path, headers = {}) => send(path, { headers: new Headers({ Accept: 'text/html', ...headers }) }),
    post: (path, fields, { origin = base_url, ip, form_token = token } = {}) => {
      const headers = new Headers({ 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' });
      if (origin !== null) headers.set('Origin', origin);
      if (ip !== undefined) headers.set('X-Test-Ip', ip);
      const body = new URLSearchParams({ ...fields, ...(form_token !== null && { form_token }) });
      return send(path, { method: 'POST', headers, body: body.toString() });
    },
  };
}

/** Types an address on the sign-in page, and the code that comes; answers the redirect. */
export async function signInOn(t: TestService, reader: Reader, email: string, next?: string): Promise<Shown> {
  const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  const shown = await reader.get(`/app/login${query}`);
  const kept = /name="next" value="([^"]*)"/.exec(shown.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  await reader.post('/app/login', { email, how: 'code', next: kept });
  return reader.post('/app/login/code', { email, next: kept, code: codeFor(t, email) });
}
