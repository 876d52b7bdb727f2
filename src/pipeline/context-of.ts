// What the parts of an operation are told beside the input (contract/context.ts), made of who calls and how.
import type { Row } from '../../db/schema/tables.ts';
import type { Ctx, Settings } from '../contract/context.ts';
import { type Call, type Caller, credentialsOf } from './call.ts';
import type { Core } from './core.ts';

export function contextOf(
  { clock, secrets, addresses, id, random }: Core,
  settings: Settings,
  call: Call,
  { principal, ends_at }: Pick<Caller, 'principal' | 'ends_at'>,
  agent: Row<'agents'> | null,
): Ctx {
  return {
    principal,
    account_id: principal.account_id ?? '',
    agent,
    now_ms: clock.now(),
    // Asked for only where it counts: finding a connection's address costs microseconds.
    get ip() {
      return call.origin.ip;
    },
    get trace() {
      return call.origin.trace ?? null;
    },
    get refresh_token() {
      return credentialsOf(call).refresh;
    },
    credential_ends_at: ends_at,
    settings,
    addresses,
    form: call.form ?? addresses,
    secrets,
    id,
    random,
  };
}
