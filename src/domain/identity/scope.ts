// The scopes of API keys. Keys are deny-by-default: no key can call an operation that declares no scope of this list
// (interface.md, Authentication 8; rules.md 3).

/** The scopes of every key from signup or login: everything except spending. */
export const SIGNUP_SCOPES = [
  'discovery:read',
  'marketplace:read',
  'agents:read',
  'agents:write',
  'listings:write',
  'matching:run',
  'conversations:read',
  'conversations:write',
  'messages:write',
  'webhooks:write',
  'router:read',
  'router:call',
  'router:provide',
  'deals:read',
  'deals:write',
] as const;

/** The scopes of the key of an unclaimed agent (rules.md 3). */
export const PROVISIONAL_SCOPES = [
  'discovery:read',
  'marketplace:read',
  'agents:read',
  'agents:write',
  'conversations:read',
  'conversations:write',
  'messages:write',
  'router:read',
] as const satisfies readonly (typeof SIGNUP_SCOPES)[number][];

/** Scopes that only a key created by its owner in a session may hold, on a plan that includes them: by default Pro. */
export const PRO_SCOPES = ['export:read', 'analytics:read', 'payments:write'] as const;

export const SCOPES = [...SIGNUP_SCOPES, ...PRO_SCOPES] as const;

export type Scope = (typeof SCOPES)[number];

export type ProScope = (typeof PRO_SCOPES)[number];

const PRO: ReadonlySet<string> = new Set(PRO_SCOPES);

export function isProScope(text: string): text is ProScope {
  return PRO.has(text);
}

/** The scopes of an access token for an agent's own key pair: those of its key from signup or provision. */
export function scopesFor(provisional: boolean): readonly string[] {
  return provisional ? PROVISIONAL_SCOPES : SIGNUP_SCOPES;
}

/** The known scopes of an OAuth request without duplicates. Others, such as `openid` and `offline_access`, are ignored, as RFC 6749,
 * 3.3 allows; the token response names the granted ones. */
export function scopesNamed(text: string | undefined): ReadonlySet<Scope> {
  return new Set((text ?? '').split(' ').filter(isScope));
}

const KNOWN: ReadonlySet<string> = new Set(SCOPES);

/** Whether `text` names a scope; names are exact, so no case folding and no trimming. */
export function isScope(text: string): text is Scope {
  return KNOWN.has(text);
}
