// Who is let in: the kind of credential. The right of a key and the state of the acting agent stand in steps/admission.ts, since
// a call that performs another one asks for them too.

import type { Principal } from '../contract/context.ts';
import type { AnyOperation } from '../contract/operation.ts';
import { assertNever } from '../domain/assert.ts';
import { type Fault, fault } from '../domain/fault.ts';
import { guide, step } from '../domain/next-step.ts';
import type { Call } from './call.ts';

/** What a caller who shows a key is told: how a session begins. */
const SIGN_IN = guide`This needs a signed-in session; an API key is refused. ${step('session.start', 'email')} begins one.`;

/** What an operation declares of who may call it. */
export type Admission = Pick<AnyOperation, 'access' | 'scope' | 'provisional' | 'from_mail' | 'for_keys'>;

/** Who may make a call: as its operation declares, unless the binding by which it came says otherwise. */
export function admissionOf({ operation, admits }: Pick<Call, 'operation' | 'admits'>): Admission {
  if (!admits) return operation;
  const { provisional, from_mail, for_keys } = operation;
  return { provisional, from_mail, for_keys, access: admits.access, scope: admits.scope };
}

/** Whether the kind of credential fits. */
export function accessFault({ access, from_mail, for_keys }: Admission, principal: Principal): Fault | null {
  switch (access) {
    case 'public':
      return null;
    case 'platform':
      if (principal.kind === 'mail' && from_mail) return null;
      return principal.kind === 'platform' ? null : fault('unauthorized', 'This needs the header X-Internal-Token.');
    case 'internal':
      return principal.kind === 'internal' ? null : fault('not_found');
    case 'admin':
      if (principal.kind === 'key') return fault('session_required', SIGN_IN);
      if (principal.kind === 'none') return fault('unauthorized');
      return principal.admin || principal.kind === 'platform'
        ? null
        : fault('wrong_role', 'Only an administrator can do that.');
    case 'session':
      if (principal.kind === 'key') {
        return fault('session_required', SIGN_IN, for_keys && { how: guide`A key gets it by ${step(for_keys)}.` });
      }
      return principal.kind === 'session' ? null : fault('unauthorized');
    case 'key':
      return principal.kind === 'key' || principal.kind === 'session' ? null : fault('unauthorized');
    default:
      return assertNever(access);
  }
}
