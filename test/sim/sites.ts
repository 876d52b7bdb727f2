// The sites on which the people of the simulated world have accounts, without any wire: a code is the account's number, one that begins
// with "bad" is refused, and accounts whose number ends in a nine are closed as soon as somebody looks.
import type { AccountKind } from '../../src/domain/identity/account-host.ts';
import type { AccountHost, AccountHosts } from '../../src/outbound/account-host/account-host.ts';
import type { OidcClient } from '../../src/outbound/account-host/oidc-client.ts';

function site(name: string, kind: AccountKind, looked_at: boolean): AccountHost {
  const origin = `https://${name}.example`;
  return {
    kind,
    title: name,
    origin,
    hosts: [`${name}.example`],
    authorizeUrl: async ({ state }) => `${origin}/authorize?${new URLSearchParams({ state })}`,
    identify: async ({ code }) =>
      code.startsWith('bad') ? { is: 'refused' } : { is: 'known', external_id: code.slice(0, 200) },
    look: looked_at ? async (external_id) => (external_id.endsWith('9') ? 'missing' : 'standing') : null,
  };
}

export const SITES: AccountHosts = {
  github: site('code', 'github', true),
  linkedin: site('work', 'linkedin', false),
  twitter: site('talk', 'twitter', false),
  oidc: site('state', 'identity', false),
};

/** An identity provider at which everybody has the address of their name. People sign in here as well, so that both ways are walked. */
export const PROVIDER: OidcClient = {
  issuer: 'https://people.example',
  origin: 'https://people.example',
  hosts: ['people.example'],
  readAccess: async () => 'refused',
  authorizeUrl: async ({ state }) => `https://people.example/authorize?${new URLSearchParams({ state })}`,
  identify: async ({ code }) =>
    code.startsWith('bad')
      ? { is: 'refused' }
      : { is: 'known', person: { subject: code.slice(0, 200), email: `${code.slice(0, 60)}@example.org` } },
};
