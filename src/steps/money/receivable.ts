// What an account owes for money that the processor took back. While it owes anything, a counter refuses its payments (spend.ts),
// so that incoming money stays in the wallet until it is collected.
import { Type } from 'typebox';
import { count, type Effect, insert, patch, type RemindEffect } from '../../../db/effects.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { fault } from '../../domain/fault.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { Id } from '../../schemas/wire.ts';
import { remind, remindNow } from '../reminder.ts';
import { endObligations, openObligations } from './obligation.ts';
import { restrictionKey } from './spend.ts';

/** The call that takes what an account owes out of what its wallet holds. */
export const COLLECT = { name: 'chargeback.collect', input: Type.Object({ account_id: Id }) } as const;

type Receivable = Row<'receivables'>;

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** Incoming money is collected hourly; none of it can leave before. */
export function collectLater(account_id: string, now_ms: number): RemindEffect {
  return remind(COLLECT, { account_id }, { at: now_ms + HOUR_MS, key: account_id, now_ms });
}

/** Collects at once if the account owes anything, for a credit by which a person pays the debt. */
export function collectNow(owed: readonly Receivable[], account_id: string, now_ms: number): Effect<never>[] {
  return owed.length === 0 ? [] : [remindNow(COLLECT, { account_id }, { key: account_id, now_ms })];
}

function restricted(account_id: string, by: 1 | -1): Effect<'account_restricted'> {
  return count(restrictionKey(account_id), UNLIMITED, fault('account_restricted'), null, by);
}

type Owing = Pick<Receivable, 'id' | 'account_id' | 'agent_id' | 'funding_id' | 'amount_cents'>;

/** A new debt. Its id is the processor's name of what took the money. The caller has read the agent's row. */
export function owe(owing: Owing, now_ms: number): Effect<'account_restricted' | 'open_obligations'>[] {
  const row = { ...owing, repaid_cents: 0, status: 'open' as const, created_at: now_ms, version: 1 };
  return [
    insert('receivables', row, fault('account_restricted')),
    restricted(owing.account_id, 1),
    ...openObligations(owing.agent_id),
    collectLater(owing.account_id, now_ms),
  ];
}

/** Reduces a debt; its end lifts the restriction. The caller posts the money. */
export function repay(row: Receivable, cents: number): Effect<'account_restricted' | 'open_obligations'>[] {
  const repaid_cents = row.repaid_cents + cents;
  if (repaid_cents < row.amount_cents) return [patch('receivables', row, { repaid_cents })];
  return [
    patch('receivables', row, { repaid_cents, status: 'repaid' }),
    restricted(row.account_id, -1),
    ...endObligations(row.agent_id),
  ];
}

/** The result of collecting: the remaining debt, and the effects. */
export interface Collected {
  readonly owed_cents: number;
  readonly effects: readonly Effect<'account_restricted' | 'open_obligations' | 'conflict'>[];
}
