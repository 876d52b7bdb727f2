// Open streams: their limits, and their end with the credential or agent that opened them. A stream outlives its first check, so it is
// checked again whenever these change, on any node, and it ends when its key, session or access token expires.
import { Deadlines } from '../../actors/deadlines.ts';
import { agentById } from '../../db/queries/agent.ts';
import { accountById, grantById, keyById, sessionById } from '../../db/queries/identity.ts';
import type { Row } from '../../db/schema/tables.ts';
import { nameOf, type Told, type ToldTable } from '../../db/schema/told.ts';
import type { CommitNotice } from '../../db/store.ts';
import type { Principal } from '../contract/context.ts';
import type { StreamSink } from '../contract/operation.ts';
import { type Fault, fault, isFault } from '../domain/fault.ts';
import { PLANS } from '../domain/identity/plan.ts';
import { guardRows } from '../domain/identity/rate.ts';
import { readPairWorth } from '../steps/session/find.ts';
import type { Core } from './core.ts';

/** At some 10 KB each, these take 200 MB: beyond it the pull form serves more readers with less (interface.md, Inbox). */
const STREAMS_MAX = 20_000;
/** How long a slot is reserved for an opening stream: a caller that disconnects at once never starts it. Opening reads a few
 * rows, each with a timeout of some five seconds. */
const OPENING_MS = 30_000;
const HUNG_ON: ReadonlySet<ToldTable> = new Set(['accounts', 'agents', 'api_keys', 'oauth_grants', 'sessions']);

/** One of the slots that there are, held from before the stream is opened. */
interface Slot {
  readonly account_id: string;
  held: boolean;
}

type Start = (sink: StreamSink) => void;

interface Watched {
  readonly sink: StreamSink;
  readonly caller: Streaming;
  /** When the credential ends, as far as is known. */
  ends_at: number;
  /** The number of checks: only the last answer counts. */
  asked: number;
  open: boolean;
}

/** The opener of a stream: `token_ends_at` is when the access token expires; infinite for a key. */
export interface Streaming {
  readonly principal: Principal;
  readonly agent: Row<'agents'> | null;
  readonly token_ends_at: number;
}

/** The rows on which a stream hangs. */
function rowsOf({ principal: { guard, account_id }, agent }: Streaming): string[] {
  const rows: Told[] = [...guardRows(guard)];
  if (agent) rows.push({ table: 'agents', id: agent.id });
  // An agent ends with its account.
  else if (account_id !== null) rows.push({ table: 'accounts', id: account_id });
  return rows.map(nameOf);
}

interface Reached extends Pick<Core, 'clock'> {
  readonly store: Pick<Core['store'], 'onCommit' | 'read'>;
}

export class OpenStreams {
  readonly #core: Reached;
  /** By `table:id` of the rows on which the streams hang. */
  readonly #by = new Map<string, Set<Watched>>();
  readonly #ends: Deadlines<Watched>;
  readonly #openings: Deadlines<Slot>;
  /** Moves with every change of such a row, so that one which came while a stream was opened is noticed. */
  #changes = 0;
  #open = 0;
  readonly #ofAccount = new Map<string, number>();

  constructor(core: Reached) {
    this.#core = core;
    this.#ends = new Deadlines(core.clock, ({ sink }) => sink.close());
    this.#openings = new Deadlines(core.clock, (slot) => this.#giveBack(slot));
    core.store.onCommit((notice) => this.#follow(notice));
  }

  /** Opens a stream that ends with its credential, and writes nothing after that. 503 at the service's or the plan's maximum, which
   * includes opening streams. */
  async open(caller: Streaming, opening: () => Promise<Fault | Start>): Promise<Fault | Start> {
    const slot = this.#take(caller.principal);
    if (isFault(slot)) return slot;
    try {
      const opened = await opening();
      if (typeof opened === 'function') return await this.#admit(caller, slot, opened);
      this.#giveBack(slot);
      return opened;
    } catch (error) {
      this.#giveBack(slot);
      throw error;
    }
  }

  #take({ account_id, plan }: Principal): Slot | Fault<'stream_unavailable'> {
    if (this.#open >= STREAMS_MAX) return fault('stream_unavailable');
    const most = PLANS[plan].open_streams;
    if ((this.#ofAccount.get(account_id ?? '') ?? 0) >= most) {
      return fault(
        'stream_unavailable',
        `Your account has ${most} streams open, as many as its plan allows; close some, or pull.`,
      );
    }
    const slot = { account_id: account_id ?? '', held: false };
    this.#hold(slot);
    this.#openings.set(slot, this.#core.clock.now() + OPENING_MS);
    return slot;
  }

  #hold(slot: Slot): void {
    if (slot.held) return;
    slot.held = true;
    this.#count(slot.account_id, 1);
  }

  #giveBack(slot: Slot): void {
    this.#openings.delete(slot);
    if (!slot.held) return;
    slot.held = false;
    this.#count(slot.account_id, -1);
  }

  #count(account_id: string, by: 1 | -1): void {
    this.#open += by;
    const now = (this.#ofAccount.get(account_id) ?? 0) + by;
    if (now === 0) this.#ofAccount.delete(account_id);
    else this.#ofAccount.set(account_id, now);
  }

  async #admit(caller: Streaming, slot: Slot, start: Start): Promise<Start> {
    const changes = this.#changes;
    const ends_at = await this.#endOf(caller);
    return (sink) => {
      const watched: Watched = { sink, caller, ends_at, asked: 0, open: true };
      const rows = rowsOf(caller);
      this.#openings.delete(slot);
      // A stream whose reserved slot was given away counts all the same.
      this.#hold(slot);
      for (const row of rows) this.#by.set(row, (this.#by.get(row) ?? new Set()).add(watched));
      this.#ends.set(watched, ends_at);
      sink.onClose(() => {
        watched.open = false;
        this.#ends.delete(watched);
        this.#giveBack(slot);
        for (const row of rows) this.#forget(row, watched);
      });
      start({
        write: (chunk) => {
          if (this.#core.clock.now() < watched.ends_at) return sink.write(chunk);
          sink.close();
          return false;
        },
        waitForDrain: () => sink.waitForDrain(),
        close: () => sink.close(),
        onClose: (listener) => sink.onClose(listener),
      });
      if (changes !== this.#changes) this.#recheck(watched);
    };
  }

  #forget(row: string, watched: Watched): void {
    const set = this.#by.get(row);
    set?.delete(watched);
    if (set?.size === 0) this.#by.delete(row);
  }

  #follow({ changed }: CommitNotice): void {
    for (const row of changed) {
      if (!HUNG_ON.has(row.table)) continue;
      this.#changes += 1;
      for (const watched of this.#by.get(nameOf(row)) ?? []) this.#recheck(watched);
    }
  }

  #recheck(watched: Watched): void {
    watched.asked += 1;
    const { asked } = watched;
    this.#endOf(watched.caller).then(
      (ends_at) => {
        if (!watched.open || asked !== watched.asked) return;
        watched.ends_at = ends_at;
        if (ends_at <= this.#core.clock.now()) watched.sink.close();
        else this.#ends.set(watched, ends_at);
      },
      // A stream that cannot be checked must end.
      () => watched.sink.close(),
    );
  }

  /** When the stream has to end; 0 when it should have. */
  async #endOf({ principal, agent, token_ends_at }: Streaming): Promise<number> {
    const credential_ends_at = await this.#expiry(principal.guard);
    if (agent !== null) {
      const now = await this.#core.store.read(agentById, { id: agent.id });
      if (now === null || now.deactivated_at !== null || now.account_id !== principal.account_id) return 0;
    } else if (principal.account_id !== null) {
      const account = await this.#core.store.read(accountById, { id: principal.account_id });
      if (account?.suspended_at !== null || account.deleted_at !== null) return 0;
    }
    return Math.min(token_ends_at, credential_ends_at);
  }

  /** When the credential's row ends; 0 when it has. */
  async #expiry(guard: Principal['guard']): Promise<number> {
    if (!guard) return Number.POSITIVE_INFINITY;
    const { read } = this.#core.store;
    if (guard.table === 'agents') {
      const agent = await read(agentById, { id: guard.id });
      const stands = agent !== null && agent.deactivated_at === null && agent.fingerprint === guard.fingerprint;
      const worth = stands ? await readPairWorth(read, agent, this.#core.clock.now()) : null;
      return worth?.ends_at ?? 0;
    }
    if (guard.table === 'sessions') {
      const session = await read(sessionById, { id: guard.id });
      return session && session.ended_at === null ? session.expires_at : 0;
    }
    if (guard.table === 'oauth_grants') {
      const grant = await read(grantById, { id: guard.id });
      return grant && grant.ended_at === null ? grant.expires_at : 0;
    }
    const key = await read(keyById, { id: guard.id });
    return key && key.revoked_at === null ? key.expires_at : 0;
  }
}
