// OAuth 2 sites with their own user API: GitHub, LinkedIn, X. One adapter, with a table of their differences.

import type { Config } from '../../config.ts';
import type { AccountKind } from '../../domain/identity/account-host.ts';
import type { SafeHttp } from '../safe-http/safe-http.ts';
import {
  type AccountHost,
  type AccountHosts,
  type AccountStanding,
  askJson,
  basicAuth,
  type ClientSecret,
  type Identified,
  type Returned,
  tradeCode,
} from './account-host.ts';
import { createOidcClient, type OidcClient, type OidcOptions } from './oidc-client.ts';

interface Site {
  readonly title: string;
  readonly authorize: string;
  readonly token: string;
  /** The API's address of the authorized user, and the path of the id in the answer. */
  readonly user: string;
  readonly id_at: readonly string[];
  readonly scope: string;
  readonly by: ClientSecret['by'];
  /** LinkedIn refuses PKCE from a confidential client. */
  readonly pkce: boolean;
  /** The API's public address of an account by id; null when there is none. */
  readonly account: ((id: string) => string) | null;
}

export const SITES = {
  github: {
    title: 'GitHub',
    authorize: '/login/oauth/authorize',
    token: '/login/oauth/access_token',
    user: '/user',
    id_at: ['id'],
    scope: '',
    by: 'form',
    pkce: true,
    account: (id) => `/user/${id}`,
  },
  linkedin: {
    title: 'LinkedIn',
    authorize: '/oauth/v2/authorization',
    token: '/oauth/v2/accessToken',
    user: '/v2/userinfo',
    id_at: ['sub'],
    scope: 'openid profile',
    by: 'form',
    pkce: false,
    account: null,
  },
  twitter: {
    title: 'X',
    authorize: '/i/oauth2/authorize',
    token: '/2/oauth2/token',
    user: '/2/users/me',
    id_at: ['data', 'id'],
    scope: 'users.read tweet.read',
    by: 'basic',
    pkce: true,
    account: null,
  },
} as const satisfies Record<string, Site>;

/** A site's addresses, and the service's client there. */
interface SiteOptions {
  readonly http: Pick<SafeHttp, 'request'>;
  readonly kind: keyof typeof SITES;
  /** The origin for authorization. */
  readonly url: string;
  /** The origin of the API. X exchanges codes there too. */
  readonly api_url: string;
  readonly client_id: string;
  readonly client_secret: string;
}

const ID_MAX = 255;

/** The id of an account for storage; null when invalid. Some sites send numbers, which are exact below 2^53. */
function idAt(json: unknown, path: readonly string[]): string | null {
  let at: unknown = json;
  for (const name of path)
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : null;
  if (typeof at === 'number') return Number.isSafeInteger(at) && at > 0 ? String(at) : null;
  return typeof at === 'string' && at.length <= ID_MAX && /^[\x21-\x7e]+$/.test(at) ? at : null;
}

export function createOauthSite({ http, kind, url, api_url, client_id, client_secret }: SiteOptions): AccountHost {
  const site: Site = SITES[kind];
  const client = { id: client_id, secret: client_secret, by: site.by };
  const token_url = `${kind === 'twitter' ? api_url : url}${site.token}`;

  async function identify({ code, redirect_uri, verifier }: Returned, gone: AbortSignal): Promise<Identified> {
    const trade = { code, redirect_uri, verifier: site.pkce ? verifier : null };
    const given = await tradeCode(http, token_url, client, trade, gone);
    if (typeof given === 'string') return { is: given };
    const headers = { authorization: `Bearer ${String(given['access_token'])}` };
    const told = await askJson(http, { url: `${api_url}${site.user}`, headers }, gone);
    if (told === 'silent') return { is: 'silent' };
    const external_id = told.status === 200 ? idAt(told.json, site.id_at) : null;
    return external_id === null ? { is: 'refused' } : { is: 'known', external_id };
  }

  const { account } = site;
  const look = async (external_id: string, gone: AbortSignal): Promise<AccountStanding> => {
    if (!account) return 'unknown';
    const asked = { url: `${api_url}${account(encodeURIComponent(external_id))}`, headers: basicAuth(client) };
    const told = await askJson(http, asked, gone);
    if (told === 'silent') return 'unknown';
    if (told.status === 404 || told.status === 410) return 'missing';
    if (told.status !== 200) return 'unknown';
    return idAt(told.json, site.id_at) === external_id ? 'standing' : 'missing';
  };

  return {
    kind,
    title: site.title,
    origin: new URL(url).origin,
    hosts: [...new Set([new URL(token_url).host, new URL(api_url).host])],
    authorizeUrl: async ({ redirect_uri, state, challenge }) => {
      const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri, state });
      if (site.scope !== '') query.set('scope', site.scope);
      if (site.pkce) {
        query.set('code_challenge', challenge);
        query.set('code_challenge_method', 'S256');
      }
      return `${url}${site.authorize}?${query}`;
    },
    identify,
    look: account && look,
  };
}

// The configured sites that prove accounts.

/** A further OpenID provider as a site that proves accounts. An account is identified by issuer and subject. */
function createOidcSite(options: Omit<OidcOptions, 'scope'> & { readonly kind: AccountKind }): AccountHost {
  const client = createOidcClient({ ...options, scope: 'openid' });
  return {
    kind: options.kind,
    title: new URL(options.issuer).host,
    origin: client.origin,
    hosts: client.hosts,
    authorizeUrl: (asking, gone) => client.authorizeUrl(asking, gone),
    async identify(back, gone) {
      const identified = await client.identify(back, gone);
      if (identified.is !== 'known') return identified;
      return { is: 'known', external_id: `${options.issuer}|${identified.person.subject}` };
    },
    look: null,
  };
}

/** The identity provider for sign-in; null when the service does that itself. */
export function openIdentity(config: Config, http: Pick<SafeHttp, 'request'>): OidcClient | null {
  const { oidcIssuer: issuer, oidcAudience: client_id, oidcClientSecret: client_secret = null } = config;
  if (issuer === undefined || client_id === undefined) return null;
  return createOidcClient({ http, issuer, client_id, client_secret, scope: 'openid email', now: Date.now });
}

/** Opens the configured sites. */
export function openAccountHosts(config: Config, http: Pick<SafeHttp, 'request'>): AccountHosts {
  const { githubClientId, githubClientSecret, githubUrl, githubApiUrl } = config;
  const { linkedinClientId, linkedinClientSecret, linkedinUrl, linkedinApiUrl } = config;
  const { twitterClientId, twitterClientSecret, twitterUrl, twitterApiUrl } = config;
  const { proofIssuer: issuer, proofClientId: client_id, proofClientSecret, proofKind: kind } = config;
  const site = (
    each: 'github' | 'linkedin' | 'twitter',
    id: string | undefined,
    secret: string | undefined,
    [url, api_url]: readonly [string, string],
  ): AccountHosts =>
    id === undefined || secret === undefined
      ? {}
      : { [each]: createOauthSite({ http, kind: each, url, api_url, client_id: id, client_secret: secret }) };
  const provider = { http, kind, client_secret: proofClientSecret ?? null, now: Date.now };
  return {
    ...site('github', githubClientId, githubClientSecret, [githubUrl, githubApiUrl]),
    ...site('linkedin', linkedinClientId, linkedinClientSecret, [linkedinUrl, linkedinApiUrl]),
    ...site('twitter', twitterClientId, twitterClientSecret, [twitterUrl, twitterApiUrl]),
    ...(issuer !== undefined &&
      client_id !== undefined && { oidc: createOidcSite({ ...provider, issuer, client_id }) }),
  };
}
