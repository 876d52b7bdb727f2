// Creates API keys (the text is shown once, the row keeps only its hash) and ends them, with the key pairs that they registered.
// Its person is told a week before a key expires.
import { Type } from 'typebox';
import { type Effect, insert, patch } from '../../db/effects.ts';
import type { BudgetColumn } from '../../db/schema/identity.ts';
import type { NewRow, Row } from '../../db/schema/tables.ts';
import type { Ctx } from '../contract/context.ts';
import { KEY_LIFE_MS, keyPrefixShown, mintKey } from '../domain/identity/key.ts';
import type { GuardRow } from '../domain/identity/rate.ts';
import { DAY_MS } from '../domain/time.ts';
import { sha256Hex } from '../outbound/hash.ts';
import { Id } from '../schemas/wire.ts';
import { tell } from './event.ts';
import { remind } from './reminder.ts';

const KEY_BYTES = 32;

/** The call that warns of a key's end; `told` when only the letter remains to be sent. */
export const WARN_OF_KEY = {
  name: 'key.warn',
  input: Type.Object({ key_id: Id, told: Type.Optional(Type.Boolean()) }),
} as const;

/** Long enough for a person who is away to return. */
export const KEY_WARN_MS = 7 * DAY_MS;

export interface Minted {
  readonly api_key: string;
  readonly row: NewRow<'api_keys'>;
  readonly effects: readonly Effect<never>[];
}

/** A new key for an account; it lives 90 days unless `expires_at` says less. */
export function mintApiKey(
  ctx: Ctx,
  wanted: Pick<NewRow<'api_keys'>, 'account_id' | 'agent_id' | 'name' | 'kind' | 'scopes'> &
    Partial<Pick<NewRow<'api_keys'>, 'expires_at' | 'budget'>>,
): Minted {
  const api_key = mintKey(ctx.settings.key_prefix, ctx.random(KEY_BYTES));
  const row: NewRow<'api_keys'> = {
    ...wanted,
    id: ctx.id(),
    hash: sha256Hex(api_key),
    prefix: keyPrefixShown(api_key),
    created_at: ctx.now_ms,
    expires_at: wanted.expires_at ?? ctx.now_ms + KEY_LIFE_MS,
  };
  // No warning for a key with so short a life, as its person still remembers it, or for a provisional key, which has no person.
  const at = row.expires_at - KEY_WARN_MS;
  const warned = row.kind !== 'provisional' && at - ctx.now_ms >= KEY_WARN_MS;
  const warning = { at, key: row.id, now_ms: ctx.now_ms };
  return {
    api_key,
    row,
    effects: [insert('api_keys', row), ...(warned ? [remind(WARN_OF_KEY, { key_id: row.id }, warning)] : [])],
  };
}

/** Stops them at once. */
export function revokeKeys(keys: readonly Row<'api_keys'>[], now_ms: number): Effect<never>[] {
  return keys.map((key) => patch('api_keys', key, { revoked_at: now_ms }));
}

export type Agent = Row<'agents'>;

export const NO_KEY_PAIR = { public_key: null, fingerprint: null, key_pair: null } as const;

export interface PairWorth {
  readonly scopes: readonly string[];
  readonly budget: BudgetColumn | null;
  /** In epoch milliseconds; without end where a session registered it. */
  readonly ends_at: number;
  /** The key or grant on which it hangs. */
  readonly under: GuardRow | null;
}

/** The credential that registers a key pair. A token by a pair registers the next one under the registrar of that pair. */
export function registrarOf(
  { principal: { kind, guard, credential_id } }: Pick<Ctx, 'principal'>,
  { key_pair }: Pick<Agent, 'key_pair'>,
): Pick<NonNullable<Agent['key_pair']>, 'by' | 'by_id'> | null {
  if (kind === 'session') return { by: 'sessions', by_id: credential_id ?? '' };
  if (guard === null) return null;
  return guard.table === 'agents' ? key_pair : { by: guard.table, by_id: guard.id };
}

export function endPairs(agents: readonly Agent[], ctx: Ctx): Effect<never>[] {
  return agents.flatMap((agent) => [
    patch('agents', agent, { ...NO_KEY_PAIR, updated_at: ctx.now_ms }),
    tell(ctx, agent, 'agent.updated', { fields: ['public_key'] }),
  ]);
}

/** Hangs the pairs of agents on the key that takes another's place. */
export function passPairsOn(agents: readonly Agent[], by_id: string): Effect<never>[] {
  return agents.flatMap((agent) =>
    agent.key_pair === null ? [] : [patch('agents', agent, { key_pair: { ...agent.key_pair, by_id } })],
  );
}
