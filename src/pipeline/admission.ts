// Who is let in: the kind of credential, the right of a key, the state of the acting agent. The refusals here say nothing of
// what the operation would have answered.
import type { Row } from '../../db/schema/tables.ts';
import { verificationRequired } from '../domain/agent/onboarding.ts';
import { assertNever } from '../domain/assert.ts';
import { type Fault, fault } from '../domain/fault.ts';
import type { Principal } from '../operations/context.ts';
import type { AnyOperation } from '../operations/operation.ts';

/** Whether the kind of credential fits the operation. */
export function accessFault(operation: AnyOperation, principal: Principal): Fault | null {
  switch (operation.access) {
    case 'public':
      return null;
    case 'platform':
      if (principal.kind === 'mail' && operation.from_mail) return null;
      return principal.kind === 'platform' ? null : fault('unauthorized', 'This needs the header X-Internal-Token.');
    case 'internal':
      return principal.kind === 'internal' ? null : fault('not_found');
    case 'admin':
      if (principal.kind === 'key') return fault('session_required');
      if (principal.kind === 'none') return fault('unauthorized');
      return principal.admin || principal.kind === 'platform'
        ? null
        : fault('wrong_role', 'Only an administrator can do that.');
    case 'session':
      if (principal.kind === 'key') return fault('session_required');
      return principal.kind === 'session' ? null : fault('unauthorized');
    case 'key':
      return principal.kind === 'key' || principal.kind === 'session' ? null : fault('unauthorized');
    default:
      return assertNever(operation.access);
  }
}

/** Whether a key holds the right; without a declared scope no key does. */
export function scopeFault(operation: AnyOperation, principal: Principal): Fault | null {
  if (principal.kind !== 'key' || operation.access !== 'key') return null;
  if (!operation.scope) return fault('not_reachable_with_key');
  if (operation.scope === 'any') return null;
  if (!principal.scopes.has(operation.scope)) {
    return fault('insufficient_scope', undefined, { required_scope: operation.scope });
  }
  return principal.provisional && !operation.provisional ? fault('provisional_account') : null;
}

/** Whether the acting agent is in the state that the operation asks for. */
export function gateFault(operation: AnyOperation, agent: Row<'agents'> | null): Fault | null {
  if (operation.gate !== 'verified' || agent === null || agent.verified_at !== null) return null;
  return verificationRequired();
}
