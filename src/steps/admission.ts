// Who may do something: the right of a key, the state of the acting agent. Asked by the pipeline of each call, and once more
// where one call performs another. The refusals say nothing of what the operation would have answered.
import type { Static, TSchema } from 'typebox';
import type { Row } from '../../db/schema/tables.ts';
import type { Decision, Read } from '../../db/store.ts';
import type { Ctx, Principal } from '../contract/context.ts';
import type { Command } from '../contract/operation.ts';
import type { LoadPorts } from '../contract/ports.ts';
import type { Access } from '../contract/tool.ts';
import { verificationRequired } from '../domain/agent/onboarding.ts';
import { type Code, type Fault, fault } from '../domain/fault.ts';
import type { Scope } from '../domain/identity/scope.ts';

/** What an operation declares of the keys that may call it. */
export interface Scoped {
  readonly access: Access;
  readonly scope?: Scope | 'any';
  readonly provisional?: boolean;
}

/** What a call by key may be refused with before its operation is asked. */
export type ScopeRefusal = 'not_reachable_with_key' | 'session_required' | 'insufficient_scope' | 'provisional_account';

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

/** Another operation within a turn: what it declares of who may call it, and what loads all that it needs and hands back its decision. */
export interface Performed<G extends readonly unknown[], C extends Code> {
  declared(...given: G): Scoped & { readonly gate?: 'verified' };
  load(read: Read, given: G, ctx: Ctx, ports: LoadPorts): Promise<() => Decision<unknown, C>>;
}

/** What performs operations with inputs that are made of what is given. */
export function performing<G extends readonly unknown[]>(): <I extends TSchema, O extends TSchema, C extends Code, L>(
  operation: Command<I, O, C, L>,
  inputOf: (...given: G) => Static<I>,
) => Performed<G, C> {
  return (operation, inputOf) => ({
    declared: () => operation,
    load: async (read, given, ctx, ports) => {
      const input = inputOf(...given);
      const state = await operation.load(read, input, ctx, ports);
      return () => operation.decide(state, input, ctx);
    },
  });
}
