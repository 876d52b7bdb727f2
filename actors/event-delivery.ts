// Delivers events to agents that are not connected. The inbox is the queue: a cursor stores how far delivery has come in it,
// so a crash pushes some events again, under the same ids, and loses none (rules.md 7).
import { behind } from '../db/queries/delivery-cursor.ts';
import { eventsAfter } from '../db/queries/inbox.ts';
import type { CommitNotice, InboxEvent, Store } from '../db/store.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import type { Clock } from './clock.ts';
import { DeliveryCursor, type Settle } from './delivery-cursor.ts';
import { LoadShedding } from './load-shedding.ts';
import { type Held, NOTHING_HELD } from './restore-watch.ts';

/** The result of a push: the events up to this seq are done, and what is to be written. */
export interface Pushed<O> {
  readonly through: number;
  readonly result: O | null;
  /** Written down before the next push, which it may change. */
  readonly first?: boolean;
}

/** The delivery ladder; passed in, because it knows operations. */
export interface Ladder<O> {
  /** Whether an event for the agent needs no push, as far as known without a read. */
  unreachable(agent_id: string, event: InboxEvent | null): boolean;
  /** The hosts that a push to the agent would call, perhaps none; null when the agent cannot be pushed to. */
  hosts(agent_id: string): Promise<readonly string[] | null>;
  /** Pushes the first of these events, or several in one step. Never throws because of a receiver. */
  push(agent_id: string, events: readonly InboxEvent[], signal: AbortSignal): Promise<Pushed<O>>;
  readonly settle: Settle<O>;
}

interface InboxState {
  /** Delivered up to here; below 0 before it is read. */
  seq: number;
  head: number;
  lease_until: number;
  /** In the queue, at work, or in a host's line. */
  busy: boolean;
  /** The event after `seq`, when a commit has just passed it on. */
  next: InboxEvent | null;
  /** Another node added events; the store knows how many. */
  more: boolean;
  /** How many events the next push reads. */
  slice: number;
}

/** Pushes side by side, all hosts together. */
const SIDE_BY_SIDE = 256;
/** Events read for a push, which mostly takes one of them; more where none of them needed one. */
const FEW = 4;
const SLICE = 50;
/** Inboxes read at a time in the search for undelivered events. */
const PAGE = 500;
/** A lease is renewed when less than this is left of it: a push takes ten seconds, and its host may keep it waiting. */
const LEASE_LEFT_MS = 30_000;
/** Results are gathered this long before they are written; cursors without a result, every two seconds. */
const GATHER_MS = 20;
const PASSED_MS = 2_000;
const LOOK_MS = 30_000;
/** Idle inboxes kept in memory; one is some 200 bytes. */
const IDLE_MAX = 50_000;

/** Whether the event is the first of an inbox that waits for delivery, as far as known. */
function isFirst(inbox: InboxState | undefined, event: InboxEvent | null): boolean {
  return !inbox || (!inbox.busy && event !== null && inbox.seq === event.seq - 1);
}

function tick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export class EventDelivery<O> {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #ladder: Ladder<O>;
  readonly #failed: (error: unknown) => void;
  readonly #tasks: BackgroundTasks;
  readonly #held: Held;
  readonly #inboxes = new Map<string, InboxState>();
  readonly #queue = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #shedding = new LoadShedding();
  readonly #cursors: DeliveryCursor<O>;
  /** Agents whose hosts have room again; they waited, so they go first. */
  readonly #front: string[] = [];
  #gathering: ReturnType<typeof setTimeout> | null = null;
  #timers: ReturnType<typeof setInterval>[] = [];
  #stopped = false;
  readonly #tally = { pushed: 0, failed: 0 };

  /** Pushes hold the slots of `tasks` and end with them; `failed` is called when the store could not be read or written, or
   * the ladder threw. When `held` delays an inbox's next event, the whole inbox waits, because events go in order. */
  constructor(
    store: Store,
    clock: Clock,
    ladder: Ladder<O>,
    tasks: BackgroundTasks,
    failed: (error: unknown) => void,
    held: Held = NOTHING_HELD,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#ladder = ladder;
    this.#tasks = tasks;
    this.#failed = failed;
    this.#held = held;
    this.#cursors = new DeliveryCursor(store, ladder.settle);
    store.onCommit((notice) => this.#hear(notice));
  }

  /** Delivers what an earlier process left, and new events from now on. */
  async start(): Promise<void> {
    await this.redrive();
    this.#shedding.start(() => this.#pump());
    const often = (ms: number, work: () => Promise<void>): void => {
      const timer = setInterval(() => void work().catch(this.#failed), ms);
      timer.unref();
      this.#timers.push(timer);
    };
    often(PASSED_MS, () => this.#cursors.write(true));
    often(LOOK_MS, () => this.redrive());
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#shedding.stop();
    for (const timer of this.#timers) clearInterval(timer);
    // Aborted pushes are repeated after the next start.
    const over = this.#tasks.stop();
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    await over;
    await this.#cursors.write(true).catch(this.#failed);
  }

  /** Queues every agent with undelivered events. */
  async redrive(): Promise<void> {
    for (let after = ''; ; ) {
      const page = await this.#store.read(behind, { after, limit: PAGE });
      for (const { id, head } of page) this.#wake(id, head, null);
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      after = last.id;
      await tick();
    }
  }

  /** Whether a push of another kind may start now, at the same rate as those of the inboxes. */
  mayPush(): boolean {
    return this.#shedding.take();
  }

  /** Takes the result of a push outside the inbox's order: a retry, made as a background task. */
  settle(result: O): void {
    this.#note(result);
  }

  /** Resolves when everything that can be pushed is pushed, and all results are written. */
  async idle(): Promise<void> {
    for (;;) {
      if (this.#running.size > 0) await Promise.allSettled(this.#running);
      else if (this.#queue.size + this.#front.length > 0 && !this.#stopped) {
        this.#pump();
        if (this.#running.size === 0) await tick();
      } else if (this.#cursors.hasUnwritten) await this.#cursors.write(true);
      else return;
    }
  }

  /** Running pushes, waiting agents, pushes since the start, and pushes that a receiver did not accept. */
  counts(): { running: number; waiting: number; pushed: number; failed: number } {
    const waiting = this.#queue.size + this.#front.length + this.#tasks.slots.waiting();
    return { running: this.#running.size, waiting, ...this.#tally };
  }

  #hear({ turns, events, woken }: CommitNotice): void {
    this.#shedding.countTurns(turns);
    for (const event of events) this.#wake(event.agent_id, event.seq, event);
    if (woken === '*') void this.redrive().catch(this.#failed);
    else for (const id of woken) this.#wake(id, 0, null);
  }

  /** `head` is the inbox's head as far as known; 0 when it only grew. */
  #wake(id: string, head: number, event: InboxEvent | null): void {
    let inbox = this.#inboxes.get(id);
    if (isFirst(inbox, event) && this.#ladder.unreachable(id, event)) {
      // Its place stays in memory with its lease, which a fresh one could not claim before it ends.
      if (inbox && event) inbox.seq = Math.max(inbox.seq, event.seq);
      if (event) this.#cursors.pass(id, event.seq);
      return;
    }
    if (!inbox) {
      inbox = { seq: -1, head: 0, lease_until: 0, busy: false, next: null, more: false, slice: FEW };
      this.#inboxes.set(id, inbox);
    }
    if (head > inbox.head) inbox.head = head;
    if (head === 0) inbox.more = true;
    if (event && inbox.seq === event.seq - 1) inbox.next = event;
    if (inbox.busy || (head > 0 && head <= inbox.seq)) return;
    inbox.busy = true;
    this.#queue.add(id);
    this.#pump();
  }

  #pump(): void {
    while (!this.#stopped && this.#running.size < SIDE_BY_SIDE && this.#queue.size + this.#front.length > 0) {
      if (!this.#shedding.take()) return;
      const [longest = ''] = this.#queue;
      const key = this.#front.shift() ?? longest;
      this.#queue.delete(key);
      const run = this.#serve(key)
        .catch((error: unknown) => this.#failed(error))
        .finally(() => {
          this.#running.delete(run);
          this.#pump();
        });
      this.#running.add(run);
    }
  }

  readonly #callUp = (id: string): true => {
    this.#front.push(id);
    this.#pump();
    return true;
  };

  /** Does one step for an agent, then lets other agents run. */
  async #serve(id: string): Promise<void> {
    const inbox = this.#inboxes.get(id);
    if (!inbox) return;
    try {
      // The hosts first: most agents cannot be pushed to, and a lease is a commit of its own.
      const hosts = await this.#ladder.hosts(id);
      if (hosts !== null && (await this.#lease(id, inbox))) {
        const tried = await this.#pushAt(hosts, id, () => this.#push(id, inbox));
        if (tried) this.#rest(id, inbox);
        return;
      }
      // The agent cannot be pushed to, or another node holds the lease: forget its inbox, which is read again when that changes.
      this.#inboxes.delete(id);
      if (hosts === null) this.#cursors.pass(id, inbox.head);
    } catch (error) {
      // The events are still in the store; the next search finds them.
      this.#inboxes.delete(id);
      throw error;
    }
  }

  /** Whether this node holds the lease to push to the agent; reads its cursor if unknown. */
  async #lease(id: string, inbox: InboxState): Promise<boolean> {
    const now_ms = this.#clock.now();
    if (inbox.lease_until - now_ms >= LEASE_LEFT_MS) return true;
    const { lease_until } = inbox;
    // Before the store: otherwise a cursor written meanwhile could be in neither answer.
    const unwritten = this.#cursors.unwrittenOf(id);
    const claimed = await this.#store.claimDelivery(now_ms, { id, lease_until });
    if (!claimed) return false;
    inbox.seq = Math.max(inbox.seq, claimed.seq, unwritten, this.#cursors.unwrittenOf(id));
    inbox.head = Math.max(inbox.head, claimed.head);
    inbox.lease_until = claimed.lease_until;
    return true;
  }

  /** Runs the work with a slot at each host; false when it has to wait for one. */
  async #pushAt(hosts: readonly string[], key: string, work: () => Promise<void>): Promise<boolean> {
    if (!this.#tasks.slots.take(hosts, key, this.#callUp)) return false;
    try {
      await work();
    } finally {
      this.#tasks.slots.free(hosts);
    }
    return true;
  }

  async #push(id: string, inbox: InboxState): Promise<void> {
    const { next, seq } = inbox;
    inbox.next = null;
    const told = next?.seq === seq + 1;
    if (!told) inbox.more = false;
    const limit = inbox.slice;
    const events = told ? [next] : await this.#store.read(eventsAfter, { agent_id: id, after: seq, limit });
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last || first.created_at < (this.#held.held_before ?? 0)) {
      inbox.head = seq;
      return;
    }
    if (!told && events.length === limit) inbox.more = true;
    inbox.head = Math.max(inbox.head, last.seq);
    const { through, result, first: apart } = await this.#ladder.push(id, events, this.#tasks.cut);
    if (this.#tasks.cut.aborted) return;
    if (result !== null) this.#tally.pushed += 1;
    if (apart) this.#tally.failed += 1;
    inbox.seq = through;
    if (!told) inbox.slice = result === null && through === last.seq ? SLICE : FEW;
    if (result === null) return this.#cursors.pass(id, through);
    this.#cursors.moveTo(id, through);
    this.#note(result);
    if (apart) await this.#cursors.write(false);
  }

  #rest(id: string, inbox: InboxState): void {
    if (inbox.seq < inbox.head || inbox.more) this.#queue.add(id);
    else {
      inbox.busy = false;
      if (this.#inboxes.size > IDLE_MAX) this.#inboxes.delete(id);
    }
  }

  /** Results are written together: at once when nothing else is running, else a little later. */
  #note(result: O): void {
    this.#cursors.add(result);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      void this.#cursors.write(false).catch(this.#failed);
    }, GATHER_MS);
  }
}
