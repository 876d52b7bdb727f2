// Carries events on to those who are not connected. The inbox is the queue: what is kept is how far the delivery ladder
// has come in it, so a crash pushes some events again, under the same ids, and loses none (rules.md 7).
import { behind } from '../db/queries/delivery-cursor.ts';
import { eventsAfter } from '../db/queries/inbox.ts';
import type { CommitNotice, InboxEvent, Store } from '../db/store.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import type { Clock } from './clock.ts';
import { DeliveryCursor, type Settle } from './delivery-cursor.ts';
import { LoadShedding } from './load-shedding.ts';
import { type Held, NOTHING_HELD } from './restore-watch.ts';

/** What came of pushing: the events up to this seq are done with, and what is to be written down of it. */
export interface Pushed<O> {
  readonly through: number;
  readonly result: O | null;
  /** Written down before the next push, which it may change. */
  readonly first?: boolean;
}

/** The ladder as event delivery climbs it; handed in, since it knows operations. */
export interface Ladder<O> {
  /** Whether it is known, without looking anything up, that nothing is to be done about an event for the agent. */
  unreachable(agent_id: string, event: InboxEvent | null): boolean;
  /** The hosts that a push to the agent would call, perhaps none; null when no way leads to it. */
  hosts(agent_id: string): Promise<readonly string[] | null>;
  /** Pushes the first of these events, or several where that is one step. Never throws for a receiver's sake. */
  push(agent_id: string, events: readonly InboxEvent[], signal: AbortSignal): Promise<Pushed<O>>;
  readonly settle: Settle<O>;
}

interface InboxState {
  /** Delivered up to here; below 0 while that was not read. */
  seq: number;
  head: number;
  lease_until: number;
  /** In the queue, at work, or in a host's line. */
  busy: boolean;
  /** The event after `seq`, when the commit has just told it. */
  next: InboxEvent | null;
  /** Another node put something in: how much, only the store knows. */
  more: boolean;
}

/** Pushes side by side, all hosts together. */
const SIDE_BY_SIDE = 256;
const SLICE = 50;
/** Inboxes that are looked through at a time for what is behind. */
const PAGE = 500;
/** A lease is renewed when less than this is left of it: a push takes ten seconds, and its host may keep it waiting. */
const LEASE_LEFT_MS = 30_000;
/** Results are gathered for so long before they are written; what needs nothing is written every two seconds. */
const GATHER_MS = 20;
const PASSED_MS = 2_000;
const LOOK_MS = 30_000;
/** Idle inboxes that are kept; one is some 200 bytes. */
const IDLE_MAX = 50_000;

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
  /** Whose hosts have room again: they stood in line, and go before the rest. */
  readonly #front: string[] = [];
  #gathering: ReturnType<typeof setTimeout> | null = null;
  #timers: ReturnType<typeof setInterval>[] = [];
  #stopped = false;
  readonly #tally = { pushed: 0, failed: 0 };

  /** Pushes hold the slots of `tasks` and end with them; `failed` is told of a store that could not be read or written, and
   * of a ladder that broke. An inbox whose next event `held` keeps waiting waits as a whole: its events go in order. */
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

  /** Takes up what an earlier process left, and works on by itself from now on. */
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
    // What is cut off is pushed again after the start.
    const over = this.#tasks.stop();
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    await over;
    await this.#cursors.write(true).catch(this.#failed);
  }

  /** Queues every agent whose inbox holds more than was delivered. */
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

  /** Takes what came of a push that was not the next of an inbox: a repetition, made as a background task. */
  settle(result: O): void {
    this.#note(result);
  }

  /** Resolves when all that could be pushed was, and everything about it is written down. */
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

  /** Pushes under way, agents that wait for one, pushes since the start, those that a receiver did not take. */
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

  /** `head` is what is known of the inbox's; 0 when only that it grew. */
  #wake(id: string, head: number, event: InboxEvent | null): void {
    let inbox = this.#inboxes.get(id);
    if (!inbox) {
      if (this.#ladder.unreachable(id, event)) {
        if (event) this.#cursors.pass(id, event.seq);
        return;
      }
      inbox = { seq: -1, head: 0, lease_until: 0, busy: false, next: null, more: false };
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

  /** Does one step for an agent, then lets others go before the next. */
  async #serve(id: string): Promise<void> {
    const inbox = this.#inboxes.get(id);
    if (!inbox) return;
    try {
      // Asked first: most agents have nothing to be pushed to, and a lease is a commit of its own.
      const hosts = await this.#ladder.hosts(id);
      if (hosts !== null && (await this.#lease(id, inbox))) {
        const tried = await this.#pushAt(hosts, id, () => this.#push(id, inbox));
        if (tried) this.#rest(id, inbox);
        return;
      }
      // Nobody to push to, or another node's to push: its inbox is forgotten, and read again when that changes.
      this.#inboxes.delete(id);
      if (hosts === null) this.#cursors.pass(id, inbox.head);
    } catch (error) {
      // The store still has it all; the next look finds it behind.
      this.#inboxes.delete(id);
      throw error;
    }
  }

  /** Whether this node is the one that pushes to the agent; reads where it stands if that is not known. */
  async #lease(id: string, inbox: InboxState): Promise<boolean> {
    const now_ms = this.#clock.now();
    if (inbox.lease_until - now_ms >= LEASE_LEFT_MS) return true;
    const { lease_until } = inbox;
    // Asked before the store is: what is written meanwhile may be in neither answer otherwise.
    const unwritten = this.#cursors.unwrittenOf(id);
    const claimed = await this.#store.claimDelivery(now_ms, { id, lease_until });
    if (!claimed) return false;
    inbox.seq = Math.max(inbox.seq, claimed.seq, unwritten, this.#cursors.unwrittenOf(id));
    inbox.head = Math.max(inbox.head, claimed.head);
    inbox.lease_until = claimed.lease_until;
    return true;
  }

  /** Does something while a slot is held at each host; false when it stands in line instead. */
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
    const events = told ? [next] : await this.#store.read(eventsAfter, { agent_id: id, after: seq, limit: SLICE });
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last || first.created_at < (this.#held.held_before ?? 0)) {
      inbox.head = seq;
      return;
    }
    inbox.head = Math.max(inbox.head, last.seq);
    const { through, result, first: apart } = await this.#ladder.push(id, events, this.#tasks.cut);
    if (this.#tasks.cut.aborted) return;
    if (result !== null) this.#tally.pushed += 1;
    if (apart) this.#tally.failed += 1;
    inbox.seq = through;
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

  /** Results are written together: at once where nothing else is under way, else a little later. */
  #note(result: O): void {
    this.#cursors.add(result);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      void this.#cursors.write(false).catch(this.#failed);
    }, GATHER_MS);
  }
}
