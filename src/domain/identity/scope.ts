// The rights that an API key can hold. Keys are deny-by-default: an operation that declares no scope of this list is
// out of every key's reach (interface.md, Authentication 8; rules.md 3).

/** What every key minted at signup or login holds: it can do everything short of spending. */
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

/** What a key of an agent that nobody has claimed yet holds (rules.md 3). */
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

/** What only a key minted by its owner in a session may hold, and only on a plan that gives it: Pro, unless the plans are others. */
export const PRO_SCOPES = ['export:read', 'analytics:read', 'payments:write'] as const;

export const SCOPES = [...SIGNUP_SCOPES, ...PRO_SCOPES] as const;

export type Scope = (typeof SCOPES)[number];

export type ProScope = (typeof PRO_SCOPES)[number];

const PRO: ReadonlySet<string> = new Set(PRO_SCOPES);

export function isProScope(text: string): text is ProScope {
  return PRO.has(text);
}

/** What an access token that an agent gets by its own key may hold: as much as its key from signup or provision. */
export function scopesFor(provisional: boolean): readonly string[] {
  return provisional ? PROVISIONAL_SCOPES : SIGNUP_SCOPES;
}

/** The scopes of an OAuth request that the service knows, each once. Others, such as `openid` and `offline_access`, are ignored, as a
 * server may (RFC 6749, 3.3); what is granted is told with the token. */
export function scopesNamed(text: string | undefined): ReadonlySet<Scope> {
  return new Set((text ?? '').split(' ').filter(isScope));
}

const KNOWN: ReadonlySet<string> = new Set(SCOPES);

/** Whether `text` names a scope; names are exact, so no case folding and no trimming. */
export function isScope(text: string): text is Scope {
  return KNOWN.has(text);
}
