// A site on which people have accounts, as GitHub, LinkedIn and X are from outside: it lets a program in when its person says so, gives a
// code that works once, for whoever began it, and tells who a token is of. It can be slow, broken, or lie.
import { createHash } from 'node:crypto';
import type { AccountHost } from '../../src/outbound/account-host/account-host.ts';
import { createOauthSite, type SITES } from '../../src/outbound/account-host/oauth-site.ts';
import type { SafeHttp } from '../../src/outbound/safe-http/safe-http.ts';

type Kind = keyof typeof SITES;

const CLIENT = { client_id: 'meshwork', client_secret: 'hush' };

interface Granted {
  readonly account: string;
  readonly redirect_uri: string;
  readonly challenge: string | null;
}

export type Trouble = 'none' | 'error' | 'garbage' | 'redirect' | 'no_token' | 'no_account' | 'silent';

export interface AccountSite {
  readonly port: number;
  trouble: Trouble;
  /** Accounts that were closed. */
  readonly closed: Set<string>;
  /** What was asked, method and path. */
  readonly asked: string[];
  /** Lets the program in that asks by an address; answers where the person is sent back to. */
  consent(authorize_url: string, account: string): URL;
  /** The adapter that speaks to it. */
  open(http: SafeHttp, kind: Kind): AccountHost;
  close(): Promise<void>;
}

/** Where each kind of site tells who a token is of. */
const KINDS: Readonly<Record<string, Kind>> = { '/2/users/me': 'twitter', '/v2/userinfo': 'linkedin' };

const json = (body: unknown, status = 200): Response => Response.json(body, { status });

/** An account as each kind of site tells of it. */
function accountAs(kind: string, account: string): unknown {
  if (kind === 'github') return { id: Number(account), login: `user-${account}` };
  return kind === 'linkedin' ? { sub: account, name: 'Ada' } : { data: { id: account, username: 'ada' } };
}

function troubled(trouble: Trouble): Response | Promise<Response> | null {
  if (trouble === 'error') return new Response('oops', { status: 502 });
  if (trouble === 'garbage') return new Response('<html>', { headers: { 'Content-Type': 'text/html' } });
  if (trouble === 'redirect') return Response.redirect('http://169.254.169.254/latest/meta-data', 302);
  if (trouble === 'silent') return new Promise(() => {});
  return trouble === 'no_token' ? json({ error: 'bad_verification_code' }) : null;
}

/** Whether whoever trades a code is the program that the code was given to. */
function maySpend(form: URLSearchParams, basic: string | null, granted: Granted): boolean {
  const [id, secret] = basic
    ? atob(basic.slice('Basic '.length)).split(':')
    : [form.get('client_id'), form.get('client_secret')];
  const verifier = form.get('code_verifier');
  const shown = verifier === null ? null : createHash('sha256').update(verifier).digest('base64url');
  const known = id === CLIENT.client_id && secret === CLIENT.client_secret;
  return known && shown === granted.challenge && form.get('redirect_uri') === granted.redirect_uri;
}

/** Opens the site on a free port of loopback. */
export function openAccountSite(): AccountSite {
  const codes = new Map<string, Granted>();
  const tokens = new Map<string, string>();
  const asked: string[] = [];
  const closed = new Set<string>();
  const fresh = (): string => `secret-${crypto.randomUUID()}`;

  async function trade(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const code = form.get('code') ?? '';
    const granted = codes.get(code);
    codes.delete(code);
    if (!granted || !maySpend(form, request.headers.get('authorization'), granted))
      return json({ error: 'invalid_grant' }, 400);
    const access_token = fresh();
    tokens.set(access_token, granted.account);
    return json({ access_token, token_type: 'bearer', scope: '' });
  }

  function tell(path: string, request: Request): Response {
    const kind = KINDS[path] ?? 'github';
    const byId = /^\/user\/(.+)$/.exec(path)?.[1];
    const bearer = request.headers.get('authorization')?.slice('Bearer '.length) ?? '';
    const account = byId ?? tokens.get(bearer);
    if (account === undefined) return json({ message: 'Bad credentials' }, 401);
    if (closed.has(account)) return json({ message: 'Not Found' }, 404);
    return json(site.trouble === 'no_account' ? { id: -1, sub: '', data: null } : accountAs(kind, account));
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      asked.push(`${request.method} ${pathname}`);
      return troubled(site.trouble) ?? (request.method === 'POST' ? trade(request) : tell(pathname, request));
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  const site: AccountSite = {
    port: server.port ?? 0,
    trouble: 'none',
    closed,
    asked,
    consent(authorize_url, account) {
      const { searchParams } = new URL(authorize_url);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      const code = fresh();
      codes.set(code, { account, redirect_uri: back.href, challenge: searchParams.get('code_challenge') });
      back.searchParams.set('code', code);
      back.searchParams.set('state', searchParams.get('state') ?? '');
      return back;
    },
    open: (http, kind) => createOauthSite({ http, kind, url, api_url: url, ...CLIENT }),
    close: () => server.stop(true),
  };
  return site;
}
