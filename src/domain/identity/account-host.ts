// Other sites whose accounts can prove a person, and the credential that each gives.

/** The sites, as the wire names them; `oidc` is one more OpenID provider of the operator's choice. */
export const ACCOUNT_HOSTS = ['github', 'linkedin', 'twitter', 'oidc'] as const;

export type AccountHostName = (typeof ACCOUNT_HOSTS)[number];

/** The credentials from accounts on other sites. */
export type AccountKind = 'github' | 'linkedin' | 'twitter' | 'identity';

/** Whether `text` names such a site. */
export function isAccountHost(text: string): text is AccountHostName {
  return ACCOUNT_HOSTS.some((name) => name === text);
}
