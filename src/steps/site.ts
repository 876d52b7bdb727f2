// The claim of a domain whose record stands, and the daily look whether it still does.

import { Type } from 'typebox';
import type { Effect, RemindEffect } from '../../db/effects.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { Ctx } from '../contract/context.ts';
import type { FlowPorts } from '../contract/ports.ts';
import { DAY_MS } from '../domain/time.ts';
import { holdsText } from '../outbound/dns.ts';
import { hmac } from '../outbound/hash.ts';
import { Id } from '../schemas/wire.ts';
import type { Own } from './agent/own.ts';
import { proveClaim } from './claim.ts';
import { remind } from './reminder.ts';

export const RECHECK = { name: 'site.recheck', input: Type.Object({ claim_id: Id }) } as const;

export function recheckLater(claim_id: string, now_ms: number): RemindEffect {
  return remind(RECHECK, { claim_id }, { at: now_ms + DAY_MS, key: claim_id, now_ms });
}

/** The agent after it proved `domain`, with the effects; a first proof also starts the daily looks. */
export function claimDomain(
  ctx: Ctx,
  agent: Row<'agents'>,
  own: Pick<Own, 'claims' | 'facts'>,
  domain: string,
): { row: Row<'agents'>; claims: readonly Row<'claims'>[]; effects: Effect<'credential_in_use'>[] } {
  const { row, claims, claim, effects } = proveClaim(ctx, agent, own, {
    provider: 'domain',
    external_id: domain,
    replaces: false,
  });
  const isNew = claim !== undefined && !own.claims.some(({ id }) => id === claim.id);
  return { row, claims, effects: isNew ? [...effects, recheckLater(claim.id, ctx.now_ms)] : effects };
}

// The TXT record that proves a domain, and whether it stands. The token is keyed by the service's secret, so the same
// agent is asked for the same record as long as the data directory lives, and nothing has to be kept until then.

/** Of the HMAC's 64 hex digits; 128 bits cannot be guessed. */
const TOKEN_CHARS = 32;

/** For the whole look-up, by the wall clock. */
export const LOOKUP_MS = 5_000;

export interface DomainRecord {
  readonly name: string;
  readonly type: 'TXT';
  readonly value: string;
}

/** The record that an agent has to publish for a domain. */
export function domainRecord(secret: Uint8Array, agent_id: string, domain: string): DomainRecord {
  const token = hmac(secret, `domain-proof:${agent_id}:${domain}`).slice(0, TOKEN_CHARS);
  return { name: `_meshwork.${domain}`, type: 'TXT', value: `meshwork-verify=${token}` };
}

/** Whether a record stands: `missing` is the DNS's clear word, `unknown` none at all. `note` says so to a person. */
export type Standing =
  | { readonly is: 'standing' }
  | { readonly is: 'missing'; readonly note: string }
  | { readonly is: 'unknown'; readonly note: string };

/** Looks the record up, anew each time, for somebody who waits for it. */
export async function recordStandingInTime(
  ports: Pick<FlowPorts, 'dns' | 'tasks'>,
  domain: string,
  record: DomainRecord,
): Promise<Standing> {
  const work = (gone: AbortSignal): Promise<Standing> => recordStanding(ports, record, gone);
  // The slots are the domain's: it is its own servers that may be slow.
  const standing = await ports.tasks.call({ hosts: [domain], deadline_ms: 2 * LOOKUP_MS, looks: true, work });
  return standing ?? { is: 'unknown', note: 'The DNS gave no answer in time; try again later.' };
}

/** The same as part of a background task. */
export async function recordStanding(
  { dns }: Pick<FlowPorts, 'dns'>,
  { name, value }: DomainRecord,
  gone: AbortSignal,
): Promise<Standing> {
  const late = AbortSignal.timeout(LOOKUP_MS);
  const answer = await dns.txt(name, AbortSignal.any([late, gone]));
  if ('failed' in answer) return { is: 'unknown', note: `The DNS gave no answer (${answer.failed}); try again later.` };
  if ('none' in answer)
    return { is: 'missing', note: 'The record is not there yet; a new one can take a while to show.' };
  if (holdsText(answer.found, value)) return { is: 'standing' };
  return { is: 'missing', note: 'There is a TXT record of that name, but with another value.' };
}
