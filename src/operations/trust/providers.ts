// The sites on which this server can prove accounts, for the pages and the app.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { CREDENTIAL_POINTS } from '../../domain/agent/trust.ts';
import { ACCOUNT_HOSTS } from '../../domain/identity/account-host.ts';
import { AccountSiteName } from '../../schemas/account.ts';
import { namedObject } from '../../schemas/named.ts';

const AccountSite = namedObject('AccountSite', 'a site on which an account can be proven', {
  provider: AccountSiteName,
  kind: Type.String({ description: 'the credential that it gives' }),
  title: Type.String({ description: 'its display name' }),
  origin: Type.String({ format: 'uri', description: 'the sign-in page of the site' }),
  points: Type.Integer({ description: 'points of trust while it is valid' }),
  rechecked: Type.Boolean({
    description: 'rechecked daily; other proofs have to be renewed after half a year',
  }),
});

export const trustProviders = query({
  name: 'trust.providers',
  needed_by: 'the web app, which offers the configured sites',
  summary: 'List the sites on which an account can be proven',
  input: Type.Object({}),
  output: Type.Object({ providers: Type.Array(AccountSite) }),
  access: 'session',
  rest: [{ method: 'GET', path: '/api/trust/providers' }],
  run: async (_read, _input, _ctx, { hosts }) => ({
    providers: ACCOUNT_HOSTS.flatMap((provider) => {
      const host = hosts[provider];
      if (!host) return [];
      const { kind, title, origin, look } = host;
      return [{ provider, kind, title, origin, points: CREDENTIAL_POINTS[kind], rechecked: look !== null }];
    }),
  }),
});
