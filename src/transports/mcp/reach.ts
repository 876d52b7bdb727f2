// How far a caller gets with a tool. What another credential of the account could reach is told apart from what none could: a
// client can ask for the one.

import type { Principal } from '../../contract/context.ts';
import { PRO_SCOPES } from '../../domain/identity/scope.ts';
import type { ToolRoute } from '../tools.ts';

/** `grantable`: not with this credential, but with another one of its account. */
export type Reach = 'reached' | 'grantable' | 'unknown';

const OF_PRO: ReadonlySet<string> = new Set(PRO_SCOPES);

type Who = Pick<Principal, 'kind' | 'plan' | 'scopes' | 'provisional'>;

/** How far a caller gets with one of the operations behind a tool. */
export function reachOfRoute(
  { access, scope, operation: { provisional } }: Pick<ToolRoute, 'access' | 'scope' | 'operation'>,
  who: Who,
): Reach {
  if (access === 'public' || scope === 'any' || who.kind === 'session') return 'reached';
  if (access !== 'key' || scope === undefined) return 'unknown';
  // An account without a person has one key, and no other can be had for it.
  if (who.provisional) return provisional && who.scopes.has(scope) ? 'reached' : 'unknown';
  if (who.scopes.has(scope)) return 'reached';
  return who.plan === 'pro' || !OF_PRO.has(scope) ? 'grantable' : 'unknown';
}

/** Callers who get equally far with every tool. */
export function reachClass({ kind, plan, scopes, provisional }: Who): string {
  if (kind === 'session') return kind;
  return `${provisional ? 'provisional' : plan} ${[...scopes].sort().join(' ')}`;
}
