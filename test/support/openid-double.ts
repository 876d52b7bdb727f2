// An identity provider as it is from outside, which can lie in every way that its clients must see through: in its document, in its keys,
// in the token, about the address. Real ones are tested beside it.
import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface OutsidePerson {
  readonly sub: string;
  readonly email?: unknown;
  readonly email_verified?: unknown;
}

type Claims = Record<string, unknown>;

/** What the provider does wrong; each replaces what is right. */
export interface Lies {
  readonly claims?: (claims: Claims) => Claims;
  /** The whole token. */
  readonly token?: (claims: Claims) => Promise<string> | string;
  readonly document?: Claims;
  readonly userinfo?: Claims;
  readonly status?: number;
}

interface Sent {
  readonly person: OutsidePerson;
  readonly asked: URLSearchParams;
}

const CLIENT = { client_id: 'meshwork', client_secret: 'hush-hush-hush-hush-hush-hush-hush' };
const json = (body: unknown, status = 200): Response => Response.json(body, { status });

async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

function mayTrade(form: URLSearchParams, basic: string | null, { asked }: Sent): boolean {
  const shown = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const known = basic === `Basic ${btoa(`${CLIENT.client_id}:${CLIENT.client_secret}`)}`;
  return known && shown === asked.get('code_challenge') && form.get('redirect_uri') === asked.get('redirect_uri');
}

/** The provider, on a free port of loopback. */
export class OpenidDouble {
  readonly client_id = CLIENT.client_id;
  readonly client_secret = CLIENT.client_secret;
  readonly asked: string[] = [];
  lies: Lies = {};
  /** Whether the address stands in the token, as with most, or is told at the place for people alone. */
  in_token = true;
  #key: Awaited<ReturnType<typeof newKey>>;
  readonly #codes = new Map<string, Sent>();
  readonly #people = new Map<string, OutsidePerson>();
  readonly #server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => this.#answer(request) });

  constructor(key: Awaited<ReturnType<typeof newKey>>) {
    this.#key = key;
  }

  get port(): number {
    return this.#server.port ?? 0;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Lets a person go on that was sent there; answers where they come back to. */
  signIn(authorize_url: string, person: OutsidePerson): URL {
    const { searchParams: asked } = new URL(authorize_url);
    const code = crypto.randomUUID();
    this.#codes.set(code, { person, asked });
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    return back;
  }

  /** Takes another key into use. */
  async rotate(): Promise<void> {
    this.#key = await newKey(crypto.randomUUID());
  }

  /** An access token for the service, as the provider gives one to another client of its own (RFC 9068). */
  access(claims: Claims, header: Claims = { typ: 'at+jwt' }): Promise<string> {
    const iat = Math.floor(Date.now() / 1000);
    const told = { iss: this.issuer, aud: CLIENT.client_id, client_id: 'another', iat, exp: iat + 300, ...claims };
    const { kid, privateKey } = this.#key;
    return new SignJWT(told).setProtectedHeader({ ...header, alg: 'ES256', kid }).sign(privateKey);
  }

  close(): Promise<void> {
    return this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    this.asked.push(pathname);
    if (this.lies.status !== undefined) return json({}, this.lies.status);
    if (pathname === '/keys') return json({ keys: [this.#key.jwk] });
    if (pathname === '/token') return this.#trade(request);
    if (pathname !== '/people') return json(this.#document());
    const person = this.#people.get(request.headers.get('authorization')?.slice('Bearer '.length) ?? '');
    return json(this.lies.userinfo ?? person ?? {}, person ? 200 : 401);
  }

  #document(): Claims {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/keys`,
      userinfo_endpoint: `${this.issuer}/people`,
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      ...this.lies.document,
    };
  }

  async #trade(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const code = form.get('code') ?? '';
    const sent = this.#codes.get(code);
    this.#codes.delete(code);
    const basic = request.headers.get('authorization');
    if (!sent || !mayTrade(form, basic, sent)) return json({ error: 'invalid_grant' }, 400);
    const access_token = crypto.randomUUID();
    this.#people.set(access_token, sent.person);
    return json({ access_token, token_type: 'Bearer', id_token: await this.#token(sent) });
  }

  async #token({ person, asked }: Sent): Promise<string> {
    const { sub, ...address } = person;
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: this.issuer, aud: CLIENT.client_id, sub, nonce: asked.get('nonce'), iat, exp: iat + 300 };
    const told = { ...claims, ...(this.in_token && address) };
    if (this.lies.token) return this.lies.token(told);
    const { kid, privateKey } = this.#key;
    return new SignJWT(this.lies.claims?.(told) ?? told).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey);
  }
}

export async function openOpenidDouble(): Promise<OpenidDouble> {
  return new OpenidDouble(await newKey('first'));
}
