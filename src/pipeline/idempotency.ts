// Idempotency keys (rules.md 2): the same caller, operation, key and input within a day get the first answer again. The outcome and
// the value are stored, which any transport can render. The row is committed with its turn, so neither exists without the
// other. A command reads it inside its turn, when the pages that the new row is written to are already cached.

import { idempotencyById } from '../../db/queries/identity.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { KeptReply, Outcome, Read, Turn } from '../../db/store.ts';
import type { Ctx, Principal } from '../contract/context.ts';
import { type Code, FAULTS, type Fault, fault, invalid, isFault } from '../domain/fault.ts';
import type { Guidance } from '../domain/next-step.ts';
import { DAY_MS } from '../domain/time.ts';
import { sha256Hex } from '../outbound/hash.ts';
import { open, replayKey, seal } from '../outbound/seal.ts';
import { type Answer, type Call, credentialsOf, type Refused, Reply } from './call.ts';

const KEPT_MS = DAY_MS;
/** Larger values are replayed as their receipt: they can be read again by their own route. */
const VALUE_MAX = 65_536;
/** 1 to 255 visible ASCII characters. */
const KEY_SHAPE = /^[\x21-\x7e]{1,255}$/;

/** The identity of a keyed request. */
export interface Claim {
  readonly id: string;
  readonly request_hash: string;
  readonly request_id: string;
  readonly now_ms: number;
  readonly expires_at: number;
  /** The key that seals a secret answer; null when the answer holds none. */
  readonly sealing: Uint8Array | null;
}

/** The claim of a keyed request, null without a key, or the refusal of a malformed key. Rows kept until `over_ms` have
 * expired. */
export function claimOf(
  call: Call,
  principal: Principal,
  { agent, now_ms }: Pick<Ctx, 'agent' | 'now_ms'>,
  over_ms: number,
): Claim | null | Fault {
  const { operation, request_id, idempotency_key: key } = call;
  if (key === null || operation.safe || operation.kind === 'query' || operation.kind === 'stream') return null;
  if (!KEY_SHAPE.test(key)) return invalid({ path: 'Idempotency-Key', message: 'must be 1 to 255 visible characters' });
  const sent = credentialsOf(call);
  const credential = sent.key ?? sent.bearer;
  // A route that issues secrets to callers without a credential has nothing to seal its answer with.
  if (operation.secret && credential === null) return null;
  // A provisional key moves to another account by what it is used for: a repeated claim is the same caller's.
  const account = principal.provisional ? principal.credential_id : principal.account_id;
  const caller = account ?? `${principal.kind}:${call.origin.ip}`;
  return {
    id: sha256Hex(`${caller}\n${agent?.id ?? ''}\n${operation.name}\n${key}`),
    request_hash: sha256Hex(JSON.stringify(call.input)),
    request_id,
    now_ms: over_ms,
    expires_at: now_ms + KEPT_MS,
    sealing: operation.secret && credential !== null ? replayKey(credential, key) : null,
  };
}

/** The reply of a turn that found its answer kept, and does nothing. */
export class Replayed {
  readonly ended: Answer | Refused;

  constructor(ended: Answer | Refused) {
    this.ended = ended;
  }
}

/** The stored outcome of a claim's first request; null when this is the first. */
export async function readReplay(read: Read['peek'], claim: Claim): Promise<Replayed | null> {
  const row = await read(idempotencyById, { id: claim.id });
  return row && row.expires_at > claim.now_ms ? new Replayed(replay(claim, row)) : null;
}

/** A stored refusal: the members that every transport renders, with the id of the original request. */
interface KeptRefusal {
  readonly error: Code;
  readonly message: Guidance;
  readonly request_id: string;
  readonly [more: string]: unknown;
}

function refusalOf(text: string): Refused {
  // It was written by `keepReply`.
  const { error, message, request_id, ...data } = JSON.parse(text) as KeptRefusal;
  return { refusal: { fault: error, message, data }, replayed: { request_id } };
}

/** The stored answer of a claim, or the refusal when the key was used for another request. */
function replay(claim: Claim, row: Row<'idempotency'>): Answer | Refused {
  if (row.request_hash !== claim.request_hash) return { refusal: fault('idempotency_conflict') };
  const text = row.sealed ? claim.sealing && open(claim.sealing, row.value, claim.id) : row.value;
  if (text === null) {
    const message = 'The first answer can only be replayed to the credential that got it.';
    return { refusal: fault('idempotency_conflict', message) };
  }
  if (row.status === 'refused') return refusalOf(text);
  return { status: row.status, reply: Reply.ofText(text), notes: row.notes, replayed: true };
}

/** The stored form of a refusal: of a deliberate one, never 402, 429 or 5xx, nor one that a person has to resolve before the
 * request is repeated. */
function refusalToKeep({ fault: error, message, data }: Fault, request_id: string): Omit<KeptReply, 'sealed'> | null {
  const { status } = FAULTS[error];
  if (status === 402 || status === 429 || status >= 500 || data.open_url) return null;
  const value = JSON.stringify({ error, message, request_id, ...data } satisfies KeptRefusal);
  return { status: 'refused', value, notes: {} };
}

function answerToKeep({ status, reply, notes }: Answer): Omit<KeptReply, 'sealed'> {
  // A refresh token is a secret too, and is not kept.
  const { refresh: _secret, ...rest } = notes;
  if (reply.text.length > VALUE_MAX) return { status, value: 'null', notes: { ...rest, receipt: true } };
  return { status, value: reply.text, notes: rest };
}

/** The stored form of an outcome; null when it is not stored. */
function keepReply({ sealing, id, request_id }: Claim, ended: Answer | Refused): KeptReply | null {
  const plain = 'refusal' in ended ? refusalToKeep(ended.refusal, request_id) : answerToKeep(ended);
  if (plain === null || sealing === null) return plain && { ...plain, sealed: false };
  return { ...plain, value: seal(sealing, plain.value, id), sealed: true };
}

/** Whether a turn ended without its own word: its key was answered elsewhere meanwhile, or a race decided, so that the same
 * request may well succeed when it is sent again under the same key. */
function isUndecided(outcome: Outcome<unknown>): boolean {
  return isFault(outcome) && (outcome.fault === 'idempotency_in_flight' || outcome.fault === 'conflict');
}

/** The turn's part of a claim. */
export function rowOf(
  claim: Claim,
  end: (outcome: Outcome<unknown>) => Answer | Refused,
): Turn<unknown>['idempotency'] {
  const { id, request_hash, now_ms, expires_at } = claim;
  // A replayed outcome is already stored.
  const again = (outcome: Outcome<unknown>): boolean => !isFault(outcome) && outcome.reply instanceof Replayed;
  const keep = (outcome: Outcome<unknown>): KeptReply | null =>
    again(outcome) || isUndecided(outcome) ? null : keepReply(claim, end(outcome));
  return { id, request_hash, now_ms, expires_at, keep };
}

/** The same of a turn that only begins what it answers: its refusals are kept, but for those that are about the key itself. */
export function refusalsOf(
  claim: Claim,
  end: (outcome: Outcome<unknown>) => Answer | Refused,
): Turn<unknown>['idempotency'] {
  const row = rowOf(claim, end);
  if (!row) return row;
  const keep: typeof row.keep = (outcome) =>
    isFault(outcome) && outcome.fault !== 'idempotency_conflict' ? row.keep(outcome) : null;
  return { ...row, keep };
}
