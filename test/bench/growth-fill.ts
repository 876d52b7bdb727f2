// A database as years leave it: agents, listings, threads with their messages and events, and one hub agent that everybody writes
// to, pays and buys from. All of it is written through the store.
import { randomBytes } from 'node:crypto';
import { append, apply, type Effect, headOf, insert } from '../../db/effects.ts';
import type { NewRow } from '../../db/schema/tables.ts';
import type { Store } from '../../db/store.ts';
import { preview } from '../../src/domain/conversation/conversation.ts';
import { fundingJournal } from '../../src/domain/escrow/escrow.ts';
import { fault } from '../../src/domain/fault.ts';
import { KEY_LIFE_MS, keyPrefixShown, mintKey } from '../../src/domain/identity/key.ts';
import { SCOPES } from '../../src/domain/identity/scope.ts';
import { REPLY_WITHIN_MS } from '../../src/domain/inbox/inbox.ts';
import { post } from '../../src/domain/money/ledger.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { sha256Hex } from '../../src/outbound/hash.ts';
import { publishing } from './listings.ts';
import { type Member, members, newId, talking, write } from './population.ts';
import { CONTENT } from './talks.ts';

export interface Size {
  readonly agents: number;
  readonly listings: number;
  readonly messages: number;
  /** Threads of the hub, receipts of its wallet, and escrows in which it sells. */
  readonly of_hub: number;
}

/** An agent whose calls are measured, with one of each thing that it has. */
export interface Measured {
  readonly member: Member;
  readonly conversation_id: string;
  readonly sold_escrow_id: string;
  readonly deal_id: string;
}

export interface Grown {
  readonly hub: Measured;
  readonly plain: Measured;
}

const MESSAGES_PER_THREAD = 10;
/** What an ordinary agent has of each. */
const OF_PLAIN = 200;
/** Agents that have money to pay with. */
const PAYERS = 200;
const DAYS = 30;

/** The time of the n-th of so many things, spread over the last days. */
const timeOf = (n: number, of: number, now_ms: number): number =>
  now_ms - DAYS * DAY_MS + Math.floor((n / of) * DAYS * DAY_MS);

interface Thread {
  readonly id: string;
  readonly sides: readonly [Member, Member];
}

/** A message of one side of a thread, as its operation writes it. */
function message({ id, sides }: Thread, n: number, now_ms: number): Effect[] {
  const by_opener = n % 2 === 0;
  const [sender, reader] = by_opener ? sides : [sides[1], sides[0]];
  const row: NewRow<'messages'> = {
    ...{ id: newId(), conversation_id: id, sender_id: sender.id, sender_handle: sender.handle },
    ...{ kind: 'text', content: CONTENT, created_at: now_ms },
  };
  const head = headOf(
    'last_n',
    apply('conversations', id, (now) => ({
      last_message_id: row.id,
      updated_at: now_ms,
      waits_for: reader.id,
      ...(by_opener ? { opener_sent: now.opener_sent + 1 } : { other_sent: now.other_sent + 1 }),
    })),
  );
  const said = { conversation_id: id, message_id: row.id, sender: sender.handle, preview: preview(CONTENT) };
  const data = { ...said, counterparty_handle: sender.handle };
  const event = {
    do: 'event',
    id: newId(),
    to: reader.id,
    handle: reader.handle,
    event: 'conversation.updated',
    data,
  } as const;
  const respond_by = now_ms + REPLY_WITHIN_MS;
  const told: Effect = { ...event, subject_id: null, awaiting: false, respond_by, created_at: now_ms };
  return [head, append('messages', row, 'n', head), told];
}

/** Messages of one turn: their effects hang together. */
const TURN_MESSAGES = 1_500;

async function talk(store: Store, threads: readonly Thread[], messages: number, now_ms: number): Promise<void> {
  const opened = threads.map(({ id, sides }) => talking(id, ...sides, now_ms - DAYS * DAY_MS));
  await write(store, opened);
  for (let from = 0; from < messages; from += TURN_MESSAGES) {
    const effects = Array.from({ length: Math.min(TURN_MESSAGES, messages - from) }, (_, at) => {
      const n = from + at;
      const thread = threads[n % threads.length];
      return thread ? message(thread, Math.floor(n / threads.length), timeOf(n, messages, now_ms)) : [];
    }).flat();
    await store.turn({ attempt: async () => ({ reply: null, effects }) });
  }
}

const TAKEN = [fault('conflict'), fault('conflict')] as const;

function* fund(payers: readonly Member[], amount_cents: number, created_at: number): Generator<Effect> {
  for (const { id: agent_id } of payers) {
    const id = newId();
    const leg = { debit: 'processor', credit: `wallet:${agent_id}`, amount_cents } as const;
    yield post({ id: `fund:${id}`, kind: 'fund', subject_id: id, created_at }, [leg], ...TAKEN);
  }
}

/** What a member gets from payers, by one send each. */
function* receive(to: Member, count: number, payers: readonly Member[], now_ms: number): Generator<Effect> {
  for (let n = 0; n < count; n++) {
    const from = payers[n % payers.length] ?? to;
    const [id, created_at, amount_cents] = [newId(), timeOf(n, count, now_ms), 10];
    const leg = { debit: `wallet:${from.id}`, credit: `wallet:${to.id}`, amount_cents } as const;
    yield insert('sends', { id, from_id: from.id, to_id: to.id, amount_cents, note: 'For the ropes', created_at });
    yield post({ id: `send:${id}`, kind: 'send', subject_id: id, created_at }, [leg], ...TAKEN);
  }
}

/** Escrows in which a member sells, every second one over. */
function* sell(seller: Member, ids: readonly string[], payers: readonly Member[], now_ms: number): Generator<Effect> {
  for (const [n, id] of ids.entries()) {
    const buyer = payers[n % payers.length] ?? seller;
    const [created_at, is_over, cents] = [timeOf(n, ids.length, now_ms), n % 2 === 1, 100];
    const sides = { buyer_id: buyer.id, seller_id: seller.id };
    const accounts = { buyer_account_id: buyer.account_id, seller_account_id: seller.account_id };
    const terms = { listing_id: null, headline: null, slug: null, tier_id: null, tier_name: null, buyer_email: null };
    const end = is_over ? { released_cents: cents, ended_at: created_at } : {};
    const common = { title: 'Books of a small company', created_at };
    yield insert('escrows', {
      ...{ id, ...sides, ...accounts, ...common, ...end, terms, deal_id: `deal-${id}`, origin: 'escrow' },
      ...{ status: is_over ? 'completed' : 'active', total_cents: cents },
    });
    yield insert('milestones', {
      ...{ id: `${id}.0`, escrow_id: id, milestone_index: 0, title: common.title, amount_cents: cents },
      ...(is_over ? { status: 'released', ended_by: 'buyer', ended_at: created_at } : { status: 'held' }),
    });
    yield insert('deals', {
      ...{ id: `deal-${id}`, kind: 'escrow', ...sides, ...common, amount_cents: cents, escrow_id: id },
      ...(is_over ? { status: 'completed', completed_at: created_at } : { status: 'open' }),
    });
    const journal = { subject_id: id, created_at };
    const paid = { debit: `wallet:${buyer.id}`, credit: `escrow:${id}`, amount_cents: cents } as const;
    yield post({ id: fundingJournal(id), kind: 'escrow', ...journal }, [paid], ...TAKEN);
    const out = { debit: `escrow:${id}`, credit: `wallet:${seller.id}`, amount_cents: cents, earned: true } as const;
    if (is_over) yield post({ id: `release:${id}.0`, kind: 'release', ...journal }, [out], ...TAKEN);
  }
}

/** A key that may do all that a key can. */
function fullKey({ account_id }: Member, now_ms: number): { readonly key: string; readonly effect: Effect } {
  const key = mintKey('mesh', randomBytes(32));
  const row = { id: newId(), account_id, agent_id: null, hash: sha256Hex(key), prefix: keyPrefixShown(key) };
  const life = { created_at: now_ms, expires_at: now_ms + KEY_LIFE_MS, used_at: now_ms };
  return { key, effect: insert('api_keys', { ...row, name: 'all', kind: 'developer', scopes: SCOPES, ...life }) };
}

/** Fills a store; `progress` hears what is being written. */
export async function grow(store: Store, size: Size, progress: (doing: string) => void): Promise<Grown> {
  const now_ms = Date.now();
  const all = members(size.agents);
  const [hub, plain, ...others] = all;
  if (!hub || !plain) throw new Error('two agents at least');
  const at = (n: number): Member => others[n % others.length] ?? plain;
  progress(`${size.agents} agents, ${size.listings} listings`);
  await write(store, publishing(size.listings, all));
  const threads = (member: Member, count: number): Thread[] =>
    Array.from({ length: count }, (_, n) => ({ id: newId(), sides: n % 2 ? [member, at(n)] : [at(n), member] }));
  const rest = Math.max(0, Math.floor(size.messages / MESSAGES_PER_THREAD) - size.of_hub - OF_PLAIN);
  const [of_hub, of_plain] = [threads(hub, size.of_hub), threads(plain, OF_PLAIN)];
  const between = Array.from({ length: rest }, (_, n): Thread => ({ id: newId(), sides: [at(n), at(n * 7 + 3)] }));
  progress(`${size.messages} messages`);
  const apart = between.filter(({ sides: [one, other] }) => one.id !== other.id);
  await talk(store, [...of_hub, ...of_plain, ...apart], size.messages, now_ms);
  progress(`${size.of_hub} receipts and escrows`);
  const payers = others.slice(0, PAYERS);
  await write(store, fund(payers, 100_000_000, now_ms - DAYS * DAY_MS));
  const ids = (count: number): string[] => Array.from({ length: count }, newId);
  const sold = { hub: ids(size.of_hub), plain: ids(OF_PLAIN) };
  await write(store, receive(hub, size.of_hub, payers, now_ms));
  await write(store, receive(plain, OF_PLAIN, payers, now_ms));
  await write(store, sell(hub, sold.hub, payers, now_ms));
  await write(store, sell(plain, sold.plain, payers, now_ms));
  const keys = { hub: fullKey(hub, now_ms), plain: fullKey(plain, now_ms) };
  await write(store, [keys.hub.effect, keys.plain.effect]);
  const measured = (
    member: Member,
    key: string,
    [thread]: readonly Thread[],
    [escrow = '']: readonly string[],
  ): Measured => ({
    ...{ member: { ...member, key }, conversation_id: thread?.id ?? '' },
    ...{ sold_escrow_id: escrow, deal_id: `deal-${escrow}` },
  });
  return {
    hub: measured(hub, keys.hub.key, of_hub, sold.hub),
    plain: measured(plain, keys.plain.key, of_plain, sold.plain),
  };
}
