// Runs one turn's effects on the locked rows in memory, in order. Answers what stopped it, as the embedded adapter does:
// a refusal, a conflict, or null when all of them stand so far. Only the database knows of taken keys that were not
// looked for; those that it told of come in as `lost`.
import { assertNever } from '../../src/domain/assert.ts';
import type { Fault } from '../../src/domain/fault.ts';
import {
  type AnswerEffect,
  type ApplyEffect,
  type CountEffect,
  type Effect,
  type EmbedEffect,
  type EventEffect,
  fullFault,
  type InsertEffect,
  isTold,
  type PatchEffect,
  type PostEffect,
  type RemindEffect,
  type RemoveEffect,
  type SendEffect,
  type UnremindEffect,
} from '../effects.ts';
import type { Committed, InboxEvent, Replied, Sealer } from '../store.ts';
import type { Workspace } from './workspace.ts';

/** Somebody changed what the turn had read: load and decide again. */
export const CONFLICT = Symbol('conflict');
export type Stopped = Fault | typeof CONFLICT | null;

/** What one turn did, gathered for the commit notice and the reply. */
export class TurnRecord implements Committed {
  readonly events: InboxEvent[] = [];
  readonly reminders: RemindEffect[] = [];
  readonly sends: string[] = [];
  readonly embeds: EmbedEffect[] = [];
  readonly replies: Replied[] = [];
  readonly changed: string[] = [];
  readonly #assigned = new Map<Effect, number>();

  assign(effect: Effect, n: number): void {
    this.#assigned.set(effect, n);
  }

  seq(event: EventEffect): number {
    return this.n(event);
  }

  n(effect: CountEffect | EventEffect): number {
    const n = this.#assigned.get(effect);
    if (n === undefined) throw new Error('the reply asks for an effect that its turn did not return');
    return n;
  }
}

/** Runs effects on one workspace. */
export class EffectRunner {
  readonly #rows: Workspace;
  readonly #lost: ReadonlySet<Effect>;
  readonly #sealer: Sealer;
  readonly #compares: boolean;

  /** `compares` is false only where a test wants to see that versions matter. */
  constructor(rows: Workspace, lost: ReadonlySet<Effect>, sealer: Sealer, compares: boolean) {
    this.#rows = rows;
    this.#lost = lost;
    this.#sealer = sealer;
    this.#compares = compares;
  }

  run(effects: readonly Effect[], record: TurnRecord): Stopped {
    for (const effect of effects) {
      const stopped = this.#one(effect, record);
      if (stopped !== null) return stopped;
    }
    return null;
  }

  #one(effect: Effect, record: TurnRecord): Stopped {
    switch (effect.do) {
      case 'insert':
        return this.#insert(effect, record);
      case 'patch':
      case 'remove':
        return this.#compareAndSet(effect, record);
      case 'apply':
        return this.#apply(effect, record);
      case 'count':
        return this.#count(effect, record);
      case 'post':
        return this.#post(effect);
      case 'event':
        return this.#event(effect, record);
      case 'answer':
        return this.#answer(effect, record);
      case 'replied':
        record.replies.push({ agent_id: effect.agent_id, seconds: effect.seconds });
        return null;
      case 'remind':
        return this.#remind(effect, record);
      case 'unremind':
        return this.#unremind(effect);
      case 'send':
        return this.#send(effect, record);
      case 'embed':
        return this.#embed(effect, record);
      default:
        return assertNever(effect);
    }
  }

  #insert(effect: InsertEffect, record: TurnRecord): Stopped {
    const { table, row, onConflict } = effect;
    // Caches hold lists of agents, listings and webhooks, so a new one changes them too.
    if (table === 'agents' || table === 'listings' || table === 'webhooks') {
      record.changed.push(`${table}:${String(row.id)}`);
    }
    if (!this.#lost.has(effect) && this.#rows.insert(table, row, effect)) return null;
    if (onConflict === 'ignore') return null;
    if (onConflict === null) throw new Error(`a key of ${table} is taken, and no fault says what then`);
    return onConflict;
  }

  #compareAndSet(effect: PatchEffect | RemoveEffect, record: TurnRecord): Stopped {
    const { table, id, version } = effect;
    record.changed.push(`${table}:${id}`);
    if (this.#compares && this.#rows.version(table, id) !== version) return CONFLICT;
    const done = effect.do === 'patch' ? this.#rows.update(table, id, effect.set) : this.#rows.remove(table, id);
    return done ? null : CONFLICT;
  }

  #apply(effect: ApplyEffect, record: TurnRecord): Stopped {
    const { table, id, change, refuse } = effect;
    const row = this.#rows.row(table, id);
    if (!row) return CONFLICT;
    const refused = refuse?.(row) ?? null;
    if (refused !== null) return refused;
    const set = change(row);
    if (isTold(effect, set)) record.changed.push(`${table}:${id}`);
    return this.#rows.update(table, id, set) ? null : CONFLICT;
  }

  #count(effect: CountEffect, record: TurnRecord): Stopped {
    const { key, by, limit, expires_at } = effect;
    const used = Number(this.#rows.row('counters', key)?.n ?? 0);
    const n = used + by;
    if (n > limit) return fullFault(effect, used);
    this.#put('counters', { id: key, n, expires_at }, { n });
    record.assign(effect, n);
    return null;
  }

  /** Changes the row, or puts it in where there is none: of two nodes that do so at once, the later one decides again. */
  #put(table: 'counters' | 'inboxes' | 'ledger_accounts', row: Record<string, unknown>, set: object): void {
    if (!this.#rows.update(table, String(row.id), { ...set })) this.#rows.insert(table, row, null);
  }

  #post(effect: PostEffect): Stopped {
    const { journal, transfers } = effect;
    if (this.#lost.has(effect) || !this.#rows.insert('journals', journal, effect)) return effect.fault;
    for (const { id, debit, credit, amount_cents } of transfers) {
      if (!Number.isSafeInteger(amount_cents) || amount_cents < 0) {
        throw new Error('a transfer moves a whole, positive number of cents');
      }
      if (!this.#move(debit, -amount_cents)) return effect.fault;
      this.#move(credit, amount_cents);
      const { id: journal_id, created_at } = journal;
      const row = { id, journal: journal_id, debit, credit, amount_cents, created_at };
      if (!this.#rows.insert('transfers', row, null)) return CONFLICT;
    }
    return null;
  }

  #move(account: string, by_cents: number): boolean {
    // Wallets and escrows may never be overdrawn; the platform's own side may.
    const guarded = /^(wallet|escrow):/.test(account) ? 1 : 0;
    const balance_cents = Number(this.#rows.row('ledger_accounts', account)?.balance_cents ?? 0) + by_cents;
    if (guarded && balance_cents < 0) return false;
    this.#put('ledger_accounts', { id: account, balance_cents, guarded }, { balance_cents });
    return true;
  }

  #event(effect: EventEffect, record: TurnRecord): Stopped {
    const seq = Number(this.#rows.row('inboxes', effect.to)?.last_seq ?? 0) + 1;
    this.#put('inboxes', { id: effect.to, last_seq: seq }, { last_seq: seq });
    const row: InboxEvent = {
      id: effect.id,
      agent_id: effect.to,
      seq,
      kind: effect.event,
      handle: effect.handle,
      data: effect.data,
      subject_id: effect.subject_id,
      respond_by: effect.respond_by,
      awaiting: effect.awaiting ? 1 : 0,
      answered: null,
      created_at: effect.created_at,
    };
    if (this.#lost.has(effect) || !this.#rows.insert('events', { ...row }, effect)) {
      throw new Error('an event id or seq was given twice');
    }
    record.events.push(row);
    record.assign(effect, seq);
    return null;
  }

  #answer({ agent_id, subject_id, answered }: AnswerEffect, record: TurnRecord): null {
    const awaiting = [...this.#rows.rows('events')].filter(
      (row) => row.agent_id === agent_id && row.subject_id === subject_id && row.awaiting === 1,
    );
    for (const row of awaiting) {
      this.#rows.update('events', String(row.id), { awaiting: 0, ...(answered === null ? {} : { answered }) });
      if (answered === null) continue;
      record.replies.push({ agent_id, seconds: (answered.at - Number(row.created_at)) / 1000 });
    }
    return null;
  }

  #remind(effect: RemindEffect, record: TurnRecord): null {
    const { id, at, operation, input, created_at } = effect;
    const set = { at, operation, input, attempts: 0 };
    if (!this.#rows.update('reminders', id, set)) this.#rows.insert('reminders', { id, ...set, created_at }, null);
    record.reminders.push(effect);
    return null;
  }

  #unremind({ id, version, gone }: UnremindEffect): Stopped {
    const stands = this.#rows.version('reminders', id);
    if (stands === null) return gone ?? null;
    if (version === undefined || version === stands) this.#rows.remove('reminders', id);
    return null;
  }

  #send({ id, channel, payload, created_at }: SendEffect, record: TurnRecord): null {
    const sealed = this.#sealer.seal(JSON.stringify(payload), id);
    const row = { id, channel, payload: sealed, attempts: 0, next_at: created_at, created_at };
    this.#rows.insert('outbound', row, null);
    record.sends.push(id);
    return null;
  }

  #embed(effect: EmbedEffect, record: TurnRecord): null {
    const { listing_id: id, agent_id, side, labels, model, vector } = effect;
    if (vector === null) this.#rows.remove('listing_vectors', id);
    else if (!this.#rows.update('listing_vectors', id, { side, labels, model, vector })) {
      this.#rows.insert('listing_vectors', { id, agent_id, side, labels, model, vector }, null);
    }
    record.embeds.push(effect);
    return null;
  }
}
