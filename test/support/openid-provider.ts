// A real OpenID provider (oidc-provider, certified) on loopback, and a person who signs in on its pages as a browser would. Null where the
// library is not installed.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';

export interface OpenidProvider {
  readonly issuer: string;
  readonly port: number;
  readonly client_id: string;
  readonly client_secret: string;
  /** Signs in as somebody and consents; answers where that leads back to. */
  visit(authorize_url: string, login: string): Promise<URL>;
  close(): void;
}

const CLIENT = { client_id: 'meshwork', client_secret: 'hush-hush-hush-hush-hush-hush-hush' };
const STEPS_MAX = 12;

/** Follows redirects and fills in forms until the address is none of the provider's. */
async function walk(issuer: string, authorize_url: string, login: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let [url, body]: [string, string | null] = [authorize_url, null];
  for (let step = 0; step < STEPS_MAX && url.startsWith(issuer); step += 1) {
    const headers: Record<string, string> = { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
    if (body !== null) headers['content-type'] = 'application/x-www-form-urlencoded';
    const answer: Response = await fetch(url, {
      method: body === null ? 'GET' : 'POST',
      body,
      headers,
      redirect: 'manual',
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    const page = await answer.text();
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
    const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(page) ?? [];
    body = location === null ? new URLSearchParams({ prompt, login, password: 'any' }).toString() : null;
    url = new URL(location ?? action, url).href;
  }
  return new URL(url);
}

/** Starts it; `redirect_uris` are where it may send people back to. */
export async function openOpenidProvider(redirect_uris: readonly string[]): Promise<OpenidProvider | null> {
  const library = await import('oidc-provider').catch(() => null);
  if (!library) {
    console.warn('skipped: oidc-provider is not installed');
    return null;
  }
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new library.default(issuer, {
    clients: [{ ...CLIENT, redirect_uris }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'of-the-test' }] },
    cookies: { keys: ['only a test'] },
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    findAccount: (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@example.org`, email_verified: id !== 'unverified' }),
    }),
  });
  server.on('request', provider.callback());
  return {
    ...CLIENT,
    issuer,
    port,
    visit: (authorize_url, login) => walk(issuer, authorize_url, login),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
