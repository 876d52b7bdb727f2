// Runs one turn's effects on the writer, in order. Answers what stopped it: a refusal (a taken key, a full counter, an
// empty balance) or a conflict (somebody changed what the turn had read); null when all of them stand.
import type { Database, Statement } from 'bun:sqlite';
import { assertNever } from '../../src/domain/assert.ts';
import type { Fault } from '../../src/domain/fault.ts';
import {
  type AnswerEffect,
  type ApplyEffect,
  type CountEffect,
  type Effect,
  type EventEffect,
  fullFault,
  isTold,
  type PostEffect,
  type RemindEffect,
  type SendEffect,
} from '../effects.ts';
import type { Committed, InboxEvent, Replied, Sealer } from '../store.ts';
import type { InboxHeads } from './heads.ts';
import type { Statements } from './statements.ts';
import type { VectorRows } from './vector-rows.ts';

/** Somebody changed what the turn had read: load and decide again. */
export const CONFLICT = Symbol('conflict');

/** What one turn did, gathered for the commit notice and the reply. */
export interface TurnRecord extends Committed {
  readonly events: InboxEvent[];
  readonly reminders: RemindEffect[];
  readonly sends: string[];
  readonly embeds: Extract<Effect, { do: 'embed' }>[];
  readonly replies: Replied[];
  /** `table:id` of each row that was changed in place or removed. */
  readonly changed: string[];
}

/** Whether an effect may refuse its turn, or find that another turn got there first. */
function mayStop(effect: Effect): boolean {
  switch (effect.do) {
    case 'insert':
      return effect.onConflict !== null && effect.onConflict !== 'ignore';
    case 'patch':
    case 'remove':
    case 'apply':
    case 'count':
    case 'post':
      return true;
    case 'unremind':
      return effect.gone !== undefined;
    default:
      return false;
  }
}

/** Whether a turn may stop after it has written something. One that can only stop at its first effect, before that has
 * written, needs no savepoint. */
export function mayStopMidway(effects: readonly Effect[]): boolean {
  return effects.some((effect, at) => (at > 0 || effect.do === 'post') && mayStop(effect));
}

class Recorder implements TurnRecord {
  readonly events: InboxEvent[] = [];
  readonly reminders: RemindEffect[] = [];
  readonly sends: string[] = [];
  readonly embeds: Extract<Effect, { do: 'embed' }>[] = [];
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

export class EffectRunner {
  readonly #statements: Statements;
  readonly #heads: InboxHeads;
  readonly #vectors: VectorRows;
  readonly #sealer: Sealer;
  readonly #count: Statement;
  readonly #countNow: Statement;
  readonly #answer: Statement;
  readonly #remind: Statement;
  readonly #openAccount: Statement;
  readonly #move: Statement;

  constructor(db: Database, statements: Statements, heads: InboxHeads, vectors: VectorRows, sealer: Sealer) {
    this.#statements = statements;
    this.#heads = heads;
    this.#vectors = vectors;
    this.#sealer = sealer;
    this.#count = db.prepare(
      `INSERT INTO counters (id, n, expires_at) SELECT ?1, ?2, ?4 WHERE ?2 <= ?3
       ON CONFLICT (id) DO UPDATE SET n = n + ?2 WHERE n + ?2 <= ?3 RETURNING n`,
    );
    this.#countNow = db.prepare('SELECT n FROM counters WHERE id = ?');
    this.#answer = db.prepare(
      `UPDATE events SET awaiting = 0, answered = coalesce(?1, answered), version = version + 1
       WHERE agent_id = ?2 AND subject_id = ?3 AND awaiting = 1 RETURNING created_at`,
    );
    this.#remind = db.prepare(
      `INSERT INTO reminders (id, at, operation, input, attempts, created_at) VALUES (?, ?, ?, ?, 0, ?)
       ON CONFLICT (id) DO UPDATE SET at = excluded.at, operation = excluded.operation, input = excluded.input, attempts = 0,
         version = version + 1`,
    );
    this.#openAccount = db.prepare(
      'INSERT INTO ledger_accounts (id, balance_cents, guarded) VALUES (?, 0, ?) ON CONFLICT DO NOTHING',
    );
    this.#move = db.prepare(
      `UPDATE ledger_accounts SET balance_cents = balance_cents + ?2
       WHERE id = ?1 AND (guarded = 0 OR balance_cents + ?2 >= 0)`,
    );
  }

  run(effects: readonly Effect[], record: Recorder): Fault | typeof CONFLICT | null {
    for (const effect of effects) {
      const stopped = this.#one(effect, record);
      if (stopped !== null) return stopped;
    }
    return null;
  }

  newRecord(): Recorder {
    return new Recorder();
  }

  #one(effect: Effect, record: Recorder): Fault | typeof CONFLICT | null {
    switch (effect.do) {
      case 'insert': {
        // Caches hold lists of agents, listings and webhooks, so a new one changes them too.
        if (effect.table === 'agents' || effect.table === 'listings' || effect.table === 'webhooks') {
          record.changed.push(`${effect.table}:${String(effect.row.id)}`);
        }
        if (this.#statements.insert(effect.table, effect.row) || effect.onConflict === 'ignore') return null;
        if (effect.onConflict === null)
          throw new Error(`a key of ${effect.table} is taken, and no fault says what then`);
        return effect.onConflict;
      }
      case 'patch': {
        record.changed.push(`${effect.table}:${effect.id}`);
        return this.#statements.update(effect.table, effect.id, effect.set, effect.version) ? null : CONFLICT;
      }
      case 'remove': {
        record.changed.push(`${effect.table}:${effect.id}`);
        return this.#statements.remove(effect.table, effect.id, effect.version) ? null : CONFLICT;
      }
      case 'apply':
        return this.#applied(effect, record);
      case 'count':
        return this.#counted(effect, record);
      case 'post':
        return this.#posted(effect);
      case 'event':
        this.#event(effect, record);
        return null;
      case 'answer':
        this.#answered(effect, record);
        return null;
      case 'replied':
        record.replies.push({ agent_id: effect.agent_id, seconds: effect.seconds });
        return null;
      case 'remind': {
        const input = JSON.stringify(effect.input);
        this.#remind.run(effect.id, effect.at, effect.operation, input, effect.created_at);
        record.reminders.push(effect);
        return null;
      }
      case 'unremind':
        if (effect.gone && this.#statements.version('reminders', effect.id) === null) return effect.gone;
        this.#statements.remove('reminders', effect.id, effect.version ?? null);
        return null;
      case 'send':
        this.#send(effect, record);
        return null;
      case 'embed':
        this.#vectors.write(effect);
        record.embeds.push(effect);
        return null;
      default:
        return assertNever(effect);
    }
  }

  #applied(effect: ApplyEffect, record: Recorder): Fault | typeof CONFLICT | null {
    const { table, id, change, refuse } = effect;
    const row = this.#statements.row(table, id);
    if (!row) return CONFLICT;
    const refused = refuse?.(row) ?? null;
    if (refused !== null) return refused;
    const set = change(row);
    if (isTold(effect, set)) record.changed.push(`${table}:${id}`);
    return this.#statements.update(table, id, set, null) ? null : CONFLICT;
  }

  #counted(effect: CountEffect, record: Recorder): Fault | null {
    const row = this.#count.get(effect.key, effect.by, effect.limit, effect.expires_at) as { n: number } | null;
    if (row) {
      record.assign(effect, row.n);
      return null;
    }
    const used = (this.#countNow.get(effect.key) as { n: number } | null)?.n ?? 0;
    return fullFault(effect, used);
  }

  #answered({ agent_id, subject_id, answered }: AnswerEffect, record: Recorder): void {
    const text = answered === null ? null : JSON.stringify(answered);
    const rows = this.#answer.all(text, agent_id, subject_id) as { created_at: number }[];
    if (answered === null) return;
    for (const { created_at } of rows) record.replies.push({ agent_id, seconds: (answered.at - created_at) / 1000 });
  }

  #posted(effect: PostEffect): Fault | null {
    if (!this.#statements.insert('journals', effect.journal)) return effect.fault;
    for (const transfer of effect.transfers) {
      if (!Number.isSafeInteger(transfer.amount_cents) || transfer.amount_cents < 0) {
        throw new Error('a transfer moves a whole, positive number of cents');
      }
      for (const account of [transfer.debit, transfer.credit]) {
        // Wallets and escrows may never be overdrawn; the platform's own side may.
        this.#openAccount.run(account, /^(wallet|escrow):/.test(account) ? 1 : 0);
      }
      if (this.#move.run(transfer.debit, -transfer.amount_cents).changes === 0) return effect.fault;
      this.#move.run(transfer.credit, transfer.amount_cents);
      const { id, debit, credit, amount_cents } = transfer;
      const journal = effect.journal.id;
      this.#statements.insert('transfers', {
        id,
        journal,
        debit,
        credit,
        amount_cents,
        created_at: effect.journal.created_at,
      });
    }
    return null;
  }

  #event(effect: EventEffect, record: Recorder): void {
    const seq = this.#heads.next(effect.to);
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
    if (!this.#statements.insert('events', { ...row })) throw new Error('an event id or seq was given twice');
    record.events.push(row);
    record.assign(effect, seq);
  }

  #send(effect: SendEffect, record: Recorder): void {
    const payload = this.#sealer.seal(JSON.stringify(effect.payload), effect.id);
    const { id, channel, created_at } = effect;
    this.#statements.insert('outbound', { id, channel, payload, attempts: 0, next_at: created_at, created_at });
    record.sends.push(id);
  }
}
