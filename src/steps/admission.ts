// Admission: the scope of a key, the state of the acting agent. The pipeline checks it for each call, and again when one call
// performs another. The refusals reveal nothing about the operation's answer.
import type { Row } from '../../db/schema/tables.ts';
import type { Principal } from '../contract/context.ts';
import type { Access } from '../contract/tool.ts';
import { verificationRequired } from '../domain/agent/onboarding.ts';
import { type Fault, fault } from '../domain/fault.ts';
import type { Scope } from '../domain/identity/scope.ts';

/** An operation's declaration of the keys that may call it. */
export interface Scoped {
  readonly access: Access;
  readonly scope?: Scope | 'any';
  readonly provisional?: boolean;
}

/** The refusals of a call by key before its operation runs. */
type ScopeRefusal = 'not_reachable_with_key' | 'session_required' | 'insufficient_scope' | 'provisional_account';

/** Whether a key holds the right; without a declared scope no key does. */
export function scopeFault({ access, scope, provisional }: Scoped, principal: Principal): Fault<ScopeRefusal> | null {
  if (principal.kind !== 'key') return null;
  if (access === 'session') return fault('session_required');
  if (access !== 'key') return null;
  if (!scope) return fault('not_reachable_with_key');
  if (scope === 'any') return null;
  if (!principal.scopes.has(scope)) {
    return fault('insufficient_scope', undefined, { required_scope: scope });
  }
  return principal.provisional && !provisional ? fault('provisional_account') : null;
}

/** Whether the acting agent is in the state that the operation asks for. */
export function gateFault(
  { gate }: { readonly gate?: 'verified' },
  agent: Row<'agents'> | null,
): Fault<'verification_required'> | null {
  if (gate !== 'verified' || agent === null || agent.verified_at !== null) return null;
  return verificationRequired();
}
