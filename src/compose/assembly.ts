// Puts the service together from its parts, without listening: main gives it the real ones, tests and the simulation a
// virtual clock, seeded randomness and doubles.
import { BackgroundTasks, OF_CALLS, OF_MODELS, OF_TURNS } from '../../actors/background-tasks.ts';
import { ClockWatch, type Doubt } from '../../actors/clock-watch.ts';
import { Directory } from '../../actors/directory.ts';
import { Dispatcher, SEND } from '../../actors/dispatcher.ts';
import { EventDelivery } from '../../actors/event-delivery.ts';
import { KeyUses } from '../../actors/key-uses.ts';
import { LoopWatch } from '../../actors/loop-watch.ts';
import { MovedTime } from '../../actors/moved-time.ts';
import { RequestLog } from '../../actors/request-log.ts';
import { type Held, RestoreWatch } from '../../actors/restore-watch.ts';
import { type Reminder, type RunReminder, Supervisor } from '../../actors/supervisor.ts';
import { Views } from '../../actors/views.ts';
import type { Trouble } from '../../db/store.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { Delivered } from '../delivery/channel.ts';
import { ladderOf } from '../delivery/ladder.ts';
import type { DeliveryPorts } from '../delivery/ports.ts';
import { RenderedEvents } from '../delivery/rendered-events.ts';
import { Routes } from '../delivery/routes.ts';
import type { PreparedManual } from '../domain/concierge/search.ts';
import { NEEDS_INDEX } from '../domain/match/asked.ts';
import type { StepForm } from '../domain/next-step.ts';
import type { RemoteSpeech } from '../domain/task/remote.ts';
import { traceId } from '../domain/trace.ts';
import { errorFields, type Log } from '../log.ts';
import { ListingCache } from '../matching/listing-cache.ts';
import { type Indexed, localMatcher } from '../matching/local.ts';
import type { Matcher } from '../matching/matcher.ts';
import { remoteMatcher } from '../matching/remote.ts';
import { requestText } from '../matching/request.ts';
import { Tastes } from '../matching/tastes.ts';
import { followThresholds } from '../matching/thresholds.ts';
import { watchWords } from '../matching/word-watch.ts';
import { WorkQueue } from '../matching/work-queue.ts';
import { registry } from '../operations/registry.ts';
import { deliverer } from '../outbound/deliver.ts';
import { createOutboxReader, outboxSweeper } from '../outbound/outbox.ts';
import { MailReader } from '../outbound/reading/mail-reader.ts';
import { ReadingThread } from '../outbound/reading/reading-thread.ts';
import { Pipeline } from '../pipeline/pipeline.ts';
import { encodeNew } from '../schemas/event.ts';
import { KeptCards } from '../steps/agent/kept-cards.ts';
import { ShortHandles } from '../steps/handle/short-handles.ts';
import { embedsHere } from '../steps/listing/vectors.ts';
import { sealNow } from '../steps/money/ledger.ts';
import { PageCache } from '../steps/page-cache.ts';
import { outgoing } from '../transports/a2a/outgoing.ts';
import type { DoorPorts } from '../transports/door-ports.ts';
import { restForm } from '../transports/rest.ts';
import { answerNodes } from './answer-nodes.ts';
import { manualOf } from './manual.ts';
import type { Parts } from './parts.ts';
import { doorPortsOf, portsOf } from './ports.ts';
import { prepare } from './prepare.ts';
import type { World } from './world.ts';

export interface Assembled {
  readonly world: World;
  /** The ports of the transports. */
  readonly doors: DoorPorts;
  readonly operations: readonly AnyOperation[];
  readonly pipeline: Pipeline;
  readonly supervisor: Supervisor;
  readonly dispatcher: Dispatcher;
  readonly delivery: EventDelivery<Delivered>;
  readonly directory: Directory;
  /** Creates the platform's agent in the database before the transports open. Throws `UnusableSetting` when another agent has
   * its handle. */
  prepare(): Promise<void>;
  /** Writes what is gathered in memory: presence, and when keys were last used. */
  flush(): Promise<void>;
  /** Stops the loops, finishes what runs, closes the store. */
  stop(): Promise<void>;
}

/** Logs every turn of the event loop that blocked all others. */
function loopOf({ log, time, store }: Parts): LoopWatch {
  const loop = new LoopWatch(time);
  loop.onHeld(({ operation, ms, cpu_ms }) => {
    const times = { duration_ms: Math.round(ms), cpu_ms: Math.round(cpu_ms) };
    log.warn('the event loop was held up', { operation: operation ?? 'none', ...times });
  });
  store.onWork({ began: (work) => loop.noteBegin(work), ended: () => {} });
  return loop;
}

const DOUBTS: Readonly<Record<Doubt, string>> = {
  jumped_forward: 'the clock jumped forward: nothing is sealed or pruned for an hour of running',
  jumped_back: 'the clock jumped back: nothing is sealed or pruned until it has passed the newest commit',
  started_late: 'the newest commit is over an hour old: nothing is sealed or pruned for an hour of running',
  started_early: 'the newest commit is ahead of the clock: nothing is sealed or pruned until that has passed it',
};

const APART =
  'the clock of this machine is more than a second ahead of that of the database, or behind it: reminders and letters are left to other nodes';

/** What is due waits on this node while its clock is wrong, and what was due before a restore until that is resumed. */
function heldBy(clock_watch: ClockWatch, restored: RestoreWatch): Held {
  return {
    get held_before() {
      return clock_watch.apart_ms === null ? restored.held_before : Number.MAX_SAFE_INTEGER;
    },
  };
}

/** Logs a jump of the clock, and wakes the timers that wait for an instant. */
function clockWatchOf({ store, clock, log, shared_time }: Parts): ClockWatch {
  return new ClockWatch(store, clock, shared_time ?? null, {
    doubted: (doubt, by_ms) => {
      log.warn(DOUBTS[doubt], { duration_ms: Math.round(by_ms) });
      clock.moveTo(clock.now());
    },
    apart: (by_ms) => {
      if (by_ms === null) log.info('the clock of this machine agrees with that of the database again');
      else log.warn(APART, { duration_ms: Math.round(by_ms) });
      clock.moveTo(clock.now());
    },
    believed: () => {
      log.info('the clock is believed again');
      const effects = [sealNow(clock.now())];
      void store.turn({ attempt: async () => ({ reply: null, effects }) }).catch((error: unknown) => {
        log.error('the seal of the ledger could not be asked for', errorFields(error));
      });
    },
  });
}

/** Logs when work that a restore delayed continues, and wakes the timers that wait for an instant. */
function restoreWatchOf({ store, clock, log }: Parts): RestoreWatch {
  return new RestoreWatch(store, () => {
    log.info('what was due before the restore goes on');
    clock.moveTo(clock.now());
  });
}

/** How often a node of this role looks for reminders that others have set, as web nodes do. */
const MATCHING_LOOK_MS = 2_000;
/** For whom a web node asks that a reminder runs now. Where so many requests are under way, and for a while after one without an
 * answer, reminders are left to be found: a reply waits for one of them at most. */
const REMINDERS = 'reminders';
const REMINDERS_ASKED_MAX = 500;

/** Runs the operation that a reminder names; the pipeline is passed as a function, because it needs the supervisor. What needs the
 * index is asked of another node where this one has none: if none answers, one finds the reminder later. */
function reminderRunner(
  operations: readonly AnyOperation[],
  pipeline: () => Pipeline,
  store: Parts['store'],
): RunReminder {
  const byName = new Map(operations.map((operation) => [operation.name as string, operation]));
  const needs_index: ReadonlySet<string> = new Set(NEEDS_INDEX);
  const { matching, role } = store;
  let rests_until = 0;
  return async (reminder) => {
    if (role === 'web' && matching && needs_index.has(reminder.operation)) {
      if (performance.now() < rests_until || matching.counts.asked >= REMINDERS_ASKED_MAX) return;
      const answer = await matching.ask(requestText({ ask: 'reminder', id: reminder.id }), REMINDERS);
      if (answer === null) rests_until = performance.now() + MATCHING_LOOK_MS;
      return;
    }
    const operation = byName.get(reminder.operation);
    if (!operation) throw new Error(`no operation is named ${reminder.operation}`);
    await pipeline().internal(operation, reminder.input, reminder);
  };
}

/** Runs the operation of a name as an admitted caller. */
function performer(operations: readonly AnyOperation[], pipeline: () => Pipeline): World['perform'] {
  const byName = new Map(operations.map((operation) => [operation.name as string, operation]));
  return async (name, call) => {
    const operation = byName.get(name);
    if (!operation) throw new Error(`no operation is named ${name}`);
    return pipeline().run({ ...call, operation });
  };
}

/** Sends the outbound rows, and logs those that failed. */
function dispatcherOf(
  { store, clock, seal_key, mailer, sms, log }: Parts,
  tasks: BackgroundTasks,
  held: Held,
): Dispatcher {
  return new Dispatcher(
    store,
    clock,
    deliverer(seal_key, mailer, sms, log),
    tasks,
    (row) => log.error('a delivery was given up', { delivery_id: row.id }),
    (error) => log.error('the outbound rows could not be worked off', errorFields(error)),
    held,
  );
}

/** Delivers events to agents that are not connected. */
function deliveryOf(
  { store, clock, http, id, log, tracer = null }: Parts,
  routes: Routes,
  tasks: BackgroundTasks,
  directory: Directory,
  addresses: StepForm,
  speech: RemoteSpeech,
  restored: RestoreWatch,
): EventDelivery<Delivered> {
  const ports: DeliveryPorts = {
    read: store.read,
    http,
    tracer,
    clock,
    id,
    addresses,
    speech,
    restored,
    isStreaming: (agent_id) => directory.actor(agent_id).streaming,
    presenceWith: (agent_id, row) => directory.presenceWith(agent_id, row),
  };
  const failed = (error: unknown): void => log.error('events could not be carried on', errorFields(error));
  return new EventDelivery(store, clock, ladderOf(routes, ports), tasks, failed, restored);
}

/** Runs reminders, and logs those that fail. */
function supervisorOf(
  { store, clock, log, settings }: Parts,
  run: RunReminder,
  settled: () => Promise<void>,
  clock_watch: ClockWatch,
  held: Held,
): Supervisor {
  const failed = (reminder: Reminder | null, error: unknown): void =>
    log.error('a reminder failed', { operation: reminder?.operation, ...errorFields(error) });
  const believed = async (): Promise<number | null> => {
    const { doubt, now_ms, apart_ms } = await clock_watch.look();
    return doubt === null && apart_ms === null ? now_ms : null;
  };
  const clean_up = { retention: settings.retention, sweepFiles: outboxSweeper(settings.data_dir) };
  const look_ms = store.role === 'matching' ? MATCHING_LOOK_MS : undefined;
  return new Supervisor(store, clock, run, failed, settled, believed, held, clean_up, look_ms);
}

/** Waits for the background work of reminders. Letters are left out, because no reminder depends on their sending. */
function settledOf(
  { tasks, turns }: Pick<World, 'tasks' | 'turns'>,
  delivery: EventDelivery<Delivered>,
): () => Promise<void> {
  return async () => {
    await turns.idle();
    await tasks.idle(SEND);
    await delivery.idle();
  };
}

/** The pools of outside calls, which log failures: most calls, dispatches, turns that wait for an outside answer, and model
 * calls. */
function placesOf(parts: Parts): Pick<World, 'tasks' | 'dispatches' | 'turns' | 'model_calls'> {
  const [dispatches, turns] = [tasksOf(parts, OF_CALLS), tasksOf(parts, OF_TURNS)];
  return { tasks: tasksOf(parts), dispatches, turns, model_calls: tasksOf(parts, OF_MODELS) };
}

function tasksOf({ log }: Parts, side_by_side?: typeof OF_CALLS): BackgroundTasks {
  const failed = (operation: string, error: unknown): void =>
    log.error('a background task failed', { operation, ...errorFields(error) });
  return new BackgroundTasks(failed, side_by_side);
}

/** Writes the gathered presence, key uses and views. They may be lost: a store that is locked or full for a while must not end the
 * process. */
function makeFlush(gathered: readonly { flush(): Promise<void> }[], log: Log): () => Promise<void> {
  return async () => {
    try {
      for (const each of gathered) await each.flush();
    } catch (error) {
      log.error('presence could not be written', errorFields(error));
    }
  };
}

/** Stops all running work before the store is closed: first what other nodes wait for, which needs the rest. All at once: a running
 * reminder may wait for a call, which ends when the background tasks do. */
function makeStop(
  { http, negotiator, tracer, store }: Parts,
  running: readonly { stop(): Promise<void> | void }[],
  flush: () => Promise<void>,
): () => Promise<void> {
  return async () => {
    await store.matching?.stop();
    await Promise.all(running.map((each) => each.stop()));
    http.close();
    negotiator?.close();
    await flush();
    await store.close();
    await tracer?.stop();
  };
}

const TROUBLES: Readonly<Record<Trouble, string>> = {
  listener: 'a listener failed behind a commit',
  index: 'the index of vectors could not take over a committed vector',
  checkpoint: 'the log could not be copied into the database file, and will be later',
  sync: 'the disk did not sync the database file: its log is kept and grows, and the next start copies it; look at the disk, then restart',
  mark: 'the high-water mark could not be written: a start after a crash may not see that writes are missing',
};

/** The caches of operations: of stored data and of the documentation. */
function cachesOf({ store, clock, settings }: Parts, directory: Directory, manual: PreparedManual) {
  return {
    manual,
    events: new RenderedEvents(store, clock, settings.retention.events),
    pages: new PageCache(store, clock),
    cards: new KeptCards(store, clock),
    listings: new ListingCache(store, clock, directory),
    tastes: new Tastes(store, clock),
    short_handles: new ShortHandles(store.read, clock, settings.platform_handle),
  };
}

/** Matching by the index of this node, or by other nodes. */
function matcherOf(world: Omit<Indexed, 'queue'> & Pick<Parts, 'store'>): Matcher {
  const { store } = world;
  if (store.role === 'web' && store.matching) return remoteMatcher(store.matching);
  return localMatcher({ ...world, queue: new WorkQueue() });
}

/** The pipeline, which logs unexpected errors. */
function pipelineOf({ check_replies, log, mailer }: Parts, world: World): Pipeline {
  return new Pipeline(world, portsOf(world, { mailer, log }), {
    check_replies,
    report: (error, { trace, ...call }) => {
      const trace_id = trace === null ? undefined : traceId(trace);
      log.error('an operation failed', { ...call, trace_id, ...errorFields(error) });
    },
  });
}

/** The listeners of commits besides the actors: the log, and with an index its thresholds and the weighing of words. */
function followCommits(parts: Parts, tasks: BackgroundTasks): void {
  parts.store.onTrouble((trouble, error) => parts.log.error(TROUBLES[trouble], errorFields(error)));
  if (parts.store.role === 'web') return;
  followThresholds(parts.store);
  if (embedsHere(parts)) watchWords({ ...parts, tasks });
}

/** The checks of the doctor; a damaged database file is logged. */
function doctorOf({ store, log, house = async () => [] }: Parts): Pick<World, 'house' | 'checkFile'> {
  const checkFile: World['checkFile'] = async (now_ms) => {
    const checked = (await store.checkFile?.(now_ms)) ?? null;
    if (checked?.ok === false) {
      const [error_text] = checked.problems;
      log.error('the database file is damaged: see meshwork doctor', { count: checked.problems.length, error_text });
    }
    return checked;
  };
  return { house, checkFile };
}

/** The transports' error reports to the log, and its counters. */
function tellersOf({ log }: Parts): Pick<DoorPorts, 'report' | 'store_errors'> {
  return {
    report: (error) => log.error('a request failed outside every operation', errorFields(error)),
    store_errors: log.store_errors ?? new Map(),
  };
}

/** Checks the clock before the first commit, then the database. */
function makePrepare(
  parts: Parts,
  clock_watch: ClockWatch,
  restored: RestoreWatch,
  answer: () => Promise<void>,
): () => Promise<void> {
  return async () => {
    await clock_watch.open();
    await restored.look();
    if (restored.held_before !== null) parts.log.warn('what was due before the restore waits: see meshwork resume');
    await prepare(parts);
    clock_watch.start();
    restored.start();
    await answer();
  };
}

/** Moves time by hand: runs what becomes due, and retries letters. */
function advancing(time: MovedTime, supervisor: Supervisor, dispatcher: Dispatcher): World['advance'] {
  return async (ms) => {
    await time.advance(ms, (move, to_ms) => supervisor.advance(move, to_ms));
    await dispatcher.redrive();
    await dispatcher.idle();
  };
}

/** Builds the service; the caller starts the loops of its supervisor, delivery and dispatcher. */
export function assemble(parts: Parts): Assembled {
  const [{ store, clock }, operations] = [parts, registry()];
  const addresses = restForm(operations, parts.settings.app_url);
  const [restored, clock_watch] = [restoreWatchOf(parts), clockWatchOf(parts)];
  const directory = new Directory(store, clock, (event) => encodeNew(event, addresses, restored.epoch));
  const places = placesOf(parts);
  const { tasks, ...waiting } = places;
  followCommits(parts, tasks);
  const held = heldBy(clock_watch, restored);
  const dispatcher = dispatcherOf(parts, tasks, held);
  const [loop, reading] = [loopOf(parts), new ReadingThread(parts.dns)];
  const [routes, speech] = [
    new Routes(store, parts.seal_key, () => clock.now()),
    outgoing(parts.settings.platform_handle),
  ];
  const delivery = deliveryOf(parts, routes, tasks, directory, addresses, speech, restored);
  const run = reminderRunner(operations, () => pipeline, store);
  const supervisor = supervisorOf(parts, run, settledOf(places, delivery), clock_watch, held);
  const [time, key_uses, views] = [new MovedTime(store, clock), new KeyUses(store), new Views(store)];
  const flush = makeFlush([directory, key_uses, views], parts.log);
  const caches = cachesOf(parts, directory, manualOf(operations, addresses));
  const world: World = {
    // Its settings, clock, store, embedder, session issuer, card signer, ways out and sources of ids and randomness.
    ...parts,
    ...caches,
    secrets: { code_key: parts.seal_key, seal_key: parts.seal_key },
    directory,
    supervisor,
    delivery,
    ...places,
    loop,
    mails: new MailReader(reading, parts.settings.mail_domain),
    routes,
    speech,
    addresses,
    ...{ requests: new RequestLog(), key_uses, views, clock_watch, restored, ...doctorOf(parts) },
    matcher: matcherOf({ ...parts, ...caches, tasks }),
    outbox: createOutboxReader(parts.settings.data_dir),
    time,
    perform: performer(operations, () => pipeline),
    advance: advancing(time, supervisor, dispatcher),
    waitForDispatch: () => dispatcher.idle(),
    waitForAttempts: (ids) => dispatcher.waitForAttempts(ids),
  };
  const pipeline = pipelineOf(parts, world);
  const running = [supervisor, delivery, dispatcher, ...Object.values(waiting), reading, loop, clock_watch, restored];
  return {
    world,
    doors: doorPortsOf(world, operations, pipeline, tellersOf(parts)),
    operations,
    pipeline,
    supervisor,
    dispatcher,
    delivery,
    directory,
    prepare: makePrepare(parts, clock_watch, restored, () => answerNodes(world, pipeline, parts)),
    flush,
    stop: makeStop(parts, running, flush),
  };
}
