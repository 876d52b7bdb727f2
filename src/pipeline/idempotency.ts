// Idempotency keys (decisions.md 2): the same caller, operation, key and body within a day get the first answer again.
// The row commits with the turn that it remembers, so there is no moment in which one stands without the other. A command
// looks for it inside its turn, where the pages are at hand that the new row is written to.

import { idempotencyById } from '../../db/queries/identity.ts';
import type { Row } from '../../db/schema/tables.ts';
import type { KeptReply, Outcome, Read, Turn } from '../../db/store.ts';
import { type Fault, fault, invalid, isFault } from '../domain/fault.ts';
import type { Principal } from '../operations/context.ts';
import { sha256Hex } from '../outbound/hash.ts';
import { open, replayKey, seal } from '../outbound/seal.ts';
import type { Answer, Call } from './call.ts';

const KEPT_MS = 86_400_000;
/** Larger answers are replayed as their receipt: they can be read again by their own route. */
const BODY_MAX = 65_536;
/** 1 to 255 visible ASCII characters. */
const KEY_SHAPE = /^[\x21-\x7e]{1,255}$/;

/** What one keyed request is known by. */
export interface Claim {
  readonly id: string;
  readonly request_hash: string;
  readonly now_ms: number;
  readonly expires_at: number;
  /** The key that seals a secret answer; null when the answer holds none. */
  readonly sealing: Uint8Array | null;
}

/** The claim of a keyed request, null when there is nothing to remember, or the refusal of a malformed key. */
export function claimOf(
  call: Call,
  principal: Principal,
  agent_id: string | null,
  now_ms: number,
): Claim | null | Fault {
  const { operation, idempotency_key: key } = call;
  if (key === null || operation.safe || operation.kind === 'query' || operation.kind === 'stream') return null;
  if (!KEY_SHAPE.test(key)) return invalid({ path: 'Idempotency-Key', message: 'must be 1 to 255 visible characters' });
  const credential = call.api_key ?? call.bearer;
  // A route that issues secrets to callers without a credential has nothing to seal its answer with.
  if (operation.secret && credential === null) return null;
  const caller = principal.account_id ?? `${principal.kind}:${call.ip}`;
  return {
    id: sha256Hex(`${caller}\n${agent_id ?? ''}\n${operation.name}\n${key}`),
    request_hash: sha256Hex(JSON.stringify(call.input)),
    now_ms,
    expires_at: now_ms + KEPT_MS,
    sealing: operation.secret && credential !== null ? replayKey(credential, key) : null,
  };
}

/** The reply of a turn that found its answer kept, and does nothing. */
export class Replayed {
  readonly ended: Answer | Fault;

  constructor(ended: Answer | Fault) {
    this.ended = ended;
  }
}

/** What was kept of a claim's first request; null when this is the first. */
export async function readReplay(read: Read['peek'], claim: Claim): Promise<Replayed | null> {
  const row = await read(idempotencyById, { id: claim.id });
  return row && row.expires_at > claim.now_ms ? new Replayed(replay(claim, row)) : null;
}

/** The kept answer of a claim, or the refusal when the key stood for another request. */
function replay(claim: Claim, row: Row<'idempotency'>): Answer | Fault {
  if (row.request_hash !== claim.request_hash) return fault('idempotency_conflict');
  const body = row.sealed ? claim.sealing && open(claim.sealing, row.body, claim.id) : row.body;
  if (body === null)
    return fault('idempotency_conflict', 'The first answer can only be replayed to the credential that got it.');
  return { status: row.status, headers: { ...row.headers, 'Idempotent-Replayed': 'true' }, body };
}

/** What is kept of an answer: 2xx and deliberate 4xx, never 402, 429 or 5xx, and not that another answer stands. */
function keepReply(claim: Claim, answer: Answer): KeptReply | null {
  if (answer.status === 402 || answer.status === 429 || answer.status >= 500) return null;
  const { status } = answer;
  const receipt = { receipt: true, status, message: 'The answer was too large to keep.' };
  const body = answer.body.length > BODY_MAX ? JSON.stringify(receipt) : answer.body;
  // A cookie is a secret too, and is not kept.
  const { 'Set-Cookie': _cookie, ...headers } = answer.headers;
  const sealed = claim.sealing !== null;
  return { status, headers, body: claim.sealing ? seal(claim.sealing, body, claim.id) : body, sealed };
}

/** Whether a turn ended without its own word: its key was answered elsewhere meanwhile, or a race decided, so that the same
 * request may well succeed when it is sent again under the same key. */
function isUndecided(outcome: Outcome<unknown>): boolean {
  return isFault(outcome) && (outcome.fault === 'idempotency_in_flight' || outcome.fault === 'conflict');
}

/** The turn's part of a claim. */
export function rowOf(claim: Claim, shape: (outcome: Outcome<unknown>) => Answer): Turn<unknown>['idempotency'] {
  const { id, request_hash, now_ms, expires_at } = claim;
  // What a turn found kept stands already.
  const again = (outcome: Outcome<unknown>): boolean => !isFault(outcome) && outcome.reply instanceof Replayed;
  const keep = (outcome: Outcome<unknown>): KeptReply | null =>
    again(outcome) || isUndecided(outcome) ? null : keepReply(claim, shape(outcome));
  return { id, request_hash, now_ms, expires_at, keep };
}
