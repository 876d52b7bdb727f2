// Runs one turn's effects, in order, on the rows of either adapter. Returns what stopped it: a refusal (a taken key, a full
// counter, an empty balance) or a conflict (a row that the turn had read was changed); null when all were applied. The
// meaning of each effect is defined only here.
import { assertNever } from '../src/domain/assert.ts';
import type { Fault } from '../src/domain/fault.ts';
import type { Post } from '../src/domain/money/ledger.ts';
import {
  type AnswerEffect,
  type ApplyEffect,
  type CountEffect,
  type Effect,
  type EmbedEffect,
  type EventEffect,
  fullFault,
  type InsertEffect,
  isToldOf,
  type PatchEffect,
  type RemindEffect,
  type RemoveEffect,
  type SendEffect,
  type UnremindEffect,
} from './effects.ts';
import { postJournal } from './post-journal.ts';
import type { Head, Rows, Upsert } from './rows.ts';
import type { TableName } from './schema/tables.ts';
import { isTold, type Told } from './schema/told.ts';
import type { Committed, InboxEvent, Replied, Sealer } from './store.ts';

/** A row that the turn had read was changed: load and decide again. */
export const CONFLICT = Symbol('conflict');
export type Stopped = Fault | typeof CONFLICT | null;

const INBOX: Head = { table: 'inboxes', column: 'last_seq', raises: 'behind' };
/** Setting the same id again moves a reminder and resets its attempts. */
const REMINDER: Upsert = { table: 'reminders', moves: ['at', 'operation', 'input', 'attempts'] };
/** The stored mark of a post. */
const BOOKED = 0;
const EXISTS = 1;

/** Collects one turn's results for the commit notice and the reply. */
export class TurnRecord implements Committed {
  readonly events: InboxEvent[] = [];
  readonly reminders: RemindEffect[] = [];
  readonly sends: string[] = [];
  readonly embeds: EmbedEffect[] = [];
  readonly replies: Replied[] = [];
  readonly changed: Told[] = [];
  #assigned: Map<Effect, number> | null = null;

  assign(effect: Effect, n: number): void {
    this.#assigned ??= new Map();
    this.#assigned.set(effect, n);
  }

  seq(event: EventEffect): number {
    return this.n(event);
  }

  exists(effect: Post): boolean {
    return this.#of(effect) === EXISTS;
  }

  n(effect: CountEffect | EventEffect | ApplyEffect): number {
    return this.#of(effect);
  }

  #of(effect: Effect): number {
    const n = this.#assigned?.get(effect);
    if (n === undefined) throw new Error('the reply asks for an effect that its turn did not return');
    return n;
  }

  /** Announces a new or changed row. All announcements to caches use this. */
  tell(what: 'new' | 'changed', table: TableName, id: string): void {
    if (isTold(what, table)) this.changed.push({ table, id });
  }
}

/** Whether an effect may refuse its turn, or find that another turn got there first. */
function mayStop(effect: Effect): boolean {
  switch (effect.do) {
    case 'insert':
      return effect.onConflict !== null && effect.onConflict !== 'ignore';
    case 'remove':
      return effect.onMissing !== 'ignore';
    case 'patch':
    case 'apply':
    case 'post':
      return true;
    case 'count':
      return effect.limit < Number.MAX_SAFE_INTEGER;
    case 'unremind':
      return effect.gone !== undefined;
    default:
      return false;
  }
}

/** Whether an effect is the first that touches a row which still is as the turn read it: its compare-and-set then succeeds. */
function isSure(
  effects: readonly Effect[],
  at: number,
  reads: ReadonlyMap<string, { readonly version: number }>,
): boolean {
  const effect = effects[at];
  if (effect?.do !== 'patch') return false;
  const { table, id, version } = effect;
  if (reads.get(`${table}:${id}`)?.version !== version) return false;
  return !effects.slice(0, at).some((before) => 'table' in before && before.table === table);
}

/** Whether a turn may stop after a write. One that can stop only at its first effect, before its first write, needs no rollback. `reads` are
 * rows, by `table:id`, that are unchanged since the turn read them. */
export function mayStopMidway(
  effects: readonly Effect[],
  reads: ReadonlyMap<string, { readonly version: number }>,
): boolean {
  const first = effects.findIndex((effect) => effect.do !== 'count' || effect.by !== 0);
  return effects.some((effect, at) => at > first && mayStop(effect) && !isSure(effects, at, reads));
}

/** Whether a turn that cancels a reminder sets it again. Its row then stays and its version rises: a new row at version 1 could be
 * taken for the cancelled one by a run that still holds that version. */
function remindsAgain(effects: readonly Effect[], taken: UnremindEffect): boolean {
  const after = effects.indexOf(taken);
  return effects.some((effect, at) => at > after && effect.do === 'remind' && effect.id === taken.id);
}

/** Runs effects on one adapter's rows. */
export class EffectRunner {
  readonly #rows: Rows;
  readonly #sealer: Sealer;

  constructor(rows: Rows, sealer: Sealer) {
    this.#rows = rows;
    this.#sealer = sealer;
  }

  run(effects: readonly Effect[], record: TurnRecord): Stopped {
    for (const effect of effects) {
      const stopped = this.#one(effect, effects, record);
      if (stopped !== null) return stopped;
    }
    return null;
  }

  #one(effect: Effect, effects: readonly Effect[], record: TurnRecord): Stopped {
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
        return this.#post(effect, record);
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
        return this.#unremind(effect, effects);
      case 'send':
        return this.#send(effect, record);
      case 'embed':
        this.#rows.embed(effect);
        record.embeds.push(effect);
        return null;
      default:
        return assertNever(effect);
    }
  }

  #insert(effect: InsertEffect, record: TurnRecord): Stopped {
    const { table, onConflict, position } = effect;
    const row = position ? { ...effect.row, [position.column]: record.n(position.by) } : effect.row;
    record.tell('new', table, String(row.id));
    if (this.#rows.insert(table, row, effect) || onConflict === 'ignore') return null;
    if (onConflict === null) throw new Error(`a key of ${table} is taken, and no fault says what then`);
    return onConflict;
  }

  #compareAndSet(effect: PatchEffect | RemoveEffect, record: TurnRecord): Stopped {
    const { table, id, within, version } = effect;
    const is_told = effect.do === 'remove' ? !effect.untold : isToldOf(effect, effect.set);
    if (is_told) record.tell('changed', table, id);
    const done =
      effect.do === 'patch'
        ? this.#rows.update(table, id, effect.set, version, within)
        : this.#rows.remove(table, id, version, within) || effect.onMissing === 'ignore';
    return done ? null : CONFLICT;
  }

  #apply(effect: ApplyEffect, record: TurnRecord): Stopped {
    const { table, id, within, change, refuse, counts } = effect;
    const row = this.#rows.row(table, id, within);
    if (!row) return CONFLICT;
    const refused = refuse?.(row) ?? null;
    if (refused !== null) return refused === 'again' ? CONFLICT : refused;
    const changed = change(row);
    if (isToldOf(effect, changed)) record.tell('changed', table, id);
    if (counts === undefined) return this.#rows.update(table, id, changed, null, within) ? null : CONFLICT;
    const n = Number(row[counts]) + 1;
    record.assign(effect, n);
    return this.#rows.update(table, id, { ...changed, [counts]: n }, null, within) ? null : CONFLICT;
  }

  #count(effect: CountEffect, record: TurnRecord): Stopped {
    const n = this.#rows.add(effect);
    // A counter without a limit must not refuse, as the turn may have written before it.
    if (n === null && effect.limit >= Number.MAX_SAFE_INTEGER) throw new Error(`the counter ${effect.key} is full`);
    if (n !== null) {
      record.assign(effect, n);
      return null;
    }
    const { key, limit, fault: refusal } = effect;
    return refusal === 'again' ? CONFLICT : fullFault(refusal, limit, Number(this.#rows.row('counters', key)?.n ?? 0));
  }

  #post(effect: Post, record: TurnRecord): Stopped {
    const booked = postJournal(effect, this.#rows);
    if (booked === 'again') return CONFLICT;
    if (booked !== 'booked' && booked !== 'exists') return booked;
    record.assign(effect, booked === 'exists' ? EXISTS : BOOKED);
    return null;
  }

  #event(effect: EventEffect, record: TurnRecord): null {
    const seq = this.#rows.next(INBOX, effect.to);
    const row = {
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
      trace: effect.trace ?? null,
    };
    if (!this.#rows.insert('events', row, effect)) throw new Error('an event id or seq was given twice');
    record.events.push(row);
    record.assign(effect, seq);
    return null;
  }

  #answer(effect: AnswerEffect, record: TurnRecord): null {
    const events = this.#rows.answer(effect);
    const { agent_id, answered, timed } = effect;
    if (answered === null || timed === false) return null;
    for (const { created_at } of events) record.replies.push({ agent_id, seconds: (answered.at - created_at) / 1000 });
    return null;
  }

  #remind(effect: RemindEffect, record: TurnRecord): null {
    const { id, at, operation, input, created_at } = effect;
    this.#rows.put(REMINDER, { id, at, operation, input, attempts: 0, created_at });
    record.reminders.push(effect);
    return null;
  }

  #unremind(effect: UnremindEffect, effects: readonly Effect[]): Stopped {
    const { id, version, gone } = effect;
    if (gone) {
      const stands = this.#rows.version('reminders', id);
      if (stands === null || (version !== undefined && stands !== version)) return gone;
    }
    if (!remindsAgain(effects, effect)) this.#rows.remove('reminders', id, version ?? null);
    return null;
  }

  #send({ id, channel, payload, created_at }: SendEffect, record: TurnRecord): null {
    const sealed = this.#sealer.seal(JSON.stringify(payload), id);
    const row = { id, channel, payload: sealed, attempts: 0, next_at: created_at, created_at };
    this.#rows.insert('outbound', row, null);
    record.sends.push(id);
    return null;
  }
}
