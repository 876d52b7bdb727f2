// The sites that the configuration sets up, as proofs of accounts.
import type { Config } from '../../config.ts';
import type { AccountKind } from '../../domain/identity/account-host.ts';
import type { SafeHttp } from '../safe-http/safe-http.ts';
import type { AccountHost, AccountHosts } from './account-host.ts';
import { createOauthSite } from './oauth-site.ts';
import { createOidcClient, type OidcClient, type OidcOptions } from './oidc-client.ts';

/** One more OpenID provider as a site that proves accounts. An account is known by the provider and its name for the person there. */
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

/** The identity provider through which people sign in; null where the service does that by itself. */
export function openIdentity(config: Config, http: Pick<SafeHttp, 'request'>): OidcClient | null {
  const { oidcIssuer: issuer, oidcAudience: client_id, oidcClientSecret: client_secret = null } = config;
  if (issuer === undefined || client_id === undefined) return null;
  return createOidcClient({ http, issuer, client_id, client_secret, scope: 'openid email', now: Date.now });
}

/** Opens those that are set up. */
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
