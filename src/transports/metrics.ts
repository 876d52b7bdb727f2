// Prometheus metrics. A request costs about half a microsecond here, because the series of an operation are looked up once.
// Only operators read them: with X-Internal-Token, or from the machine itself.

import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import eventLoopLag from 'prom-client/lib/metrics/eventLoopLag.js';
import heapSize from 'prom-client/lib/metrics/heapSizeAndUsed.js';
import memory from 'prom-client/lib/metrics/osMemoryHeap.js';
import cpu from 'prom-client/lib/metrics/processCpuTotal.js';
import descriptorsMax from 'prom-client/lib/metrics/processMaxFileDescriptors.js';
import descriptors from 'prom-client/lib/metrics/processOpenFileDescriptors.js';
import startTime from 'prom-client/lib/metrics/processStartTime.js';
import manifest from '../../package.json' with { type: 'json' };
import { fault } from '../domain/fault.ts';
import { sameSecret } from '../outbound/hash.ts';
import { type BackupStanding, readBackup } from '../steps/backup/standing.ts';
import { type FileCheckNote, readFileCheck } from '../steps/file-checked.ts';
import { type LedgerStanding, readStanding } from '../steps/money/ledger-standing.ts';
import { type Outstanding, readOutstanding } from '../steps/outstanding.ts';
import { type Overdue, readOverdue } from '../steps/overdue.ts';
import type { PlainRoute } from './app.ts';
import type { DoorPorts } from './door-ports.ts';
import { foreignCheck } from './mcp/door.ts';
import type { DoorName, Observe } from './rest.ts';
import { openStreams } from './sse.ts';
import { refuseBare } from './wire.ts';

// Metrics for the operator to act on: overdue work, the state of the ledger and the clock, the size of the database, refusals. They
// are read on a scrape and cached for some seconds; their cost does not grow with the number of agents.

/** The cache time of the reads. */
const KEPT_MS = 10_000;
interface Standing {
  readonly now_ms: number;
  readonly overdue: Readonly<Record<string, Overdue>>;
  readonly outstanding: Outstanding;
  readonly ledger: LedgerStanding;
  readonly backup: BackupStanding | null;
  readonly file: FileCheckNote | null;
  readonly sizes: Awaited<ReturnType<DoorPorts['store']['sizes']>>;
}

async function readAll({ store, clock }: DoorPorts): Promise<Standing> {
  const now_ms = clock.now();
  const { read } = store;
  const [overdue, outstanding, ledger, backup, file, sizes] = await Promise.all([
    readOverdue(read, now_ms),
    readOutstanding(read),
    readStanding(read),
    readBackup(read),
    readFileCheck(read),
    store.sizes(),
  ]);
  return { now_ms, overdue, outstanding, ledger, backup, file, sizes };
}

/** Reads at most once in ten seconds. Null while the database is unavailable. */
function keptStanding(service: DoorPorts): () => Promise<Standing | null> {
  let read_at = Number.NEGATIVE_INFINITY;
  let kept: Promise<Standing | null> = Promise.resolve(null);
  return () => {
    if (performance.now() - read_at >= KEPT_MS) {
      read_at = performance.now();
      kept = readAll(service).catch(() => null);
    }
    return kept;
  };
}

/** A gauge whose values are set at each scrape. */
function gauge<L extends string>(
  registry: Registry,
  name: `meshwork_${string}`,
  help: string,
  labelNames: readonly L[],
  collect: (set: (value: number, labels?: Partial<Record<L, string>>) => void) => Promise<void> | void,
): void {
  const made: Gauge<L> = new Gauge<L>({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect: async () => {
      made.reset();
      await collect((value, labels = {}) => made.set(labels, value));
    },
  });
}

/** A counter of externally kept counts by code. */
function countsByCode(registry: Registry, name: string, help: string, counts: ReadonlyMap<string, number>): void {
  new Counter({
    name,
    help,
    labelNames: ['code'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [code, n] of counts) this.inc({ code }, n);
    },
  });
}

function overdueSeries(registry: Registry, standing: () => Promise<Standing | null>): void {
  gauge(registry, 'meshwork_overdue', 'What is late, counted up to 10,000, by its kind.', ['kind'], async (set) => {
    const { overdue = {} } = (await standing()) ?? {};
    for (const [kind, { n }] of Object.entries(overdue)) set(n, { kind });
  });
  const oldest = 'For how long the oldest of what is late has waited, by its kind.';
  gauge(registry, 'meshwork_overdue_oldest_seconds', oldest, ['kind'], async (set) => {
    const { overdue = {}, now_ms = 0 } = (await standing()) ?? {};
    for (const [kind, { oldest }] of Object.entries(overdue))
      set(oldest === null ? 0 : Math.max(0, now_ms - oldest) / 1_000, { kind });
  });
}

function outstandingSeries(registry: Registry, standing: () => Promise<Standing | null>): void {
  const add = (name: `meshwork_${string}`, help: string, read: (outstanding: Outstanding) => number) =>
    gauge(registry, name, help, [], async (set) => {
      const outstanding = (await standing())?.outstanding;
      if (outstanding) set(read(outstanding));
    });
  add('meshwork_escrows_held', 'Escrows that have not ended, up to 10,000.', ({ escrows }) => escrows.n);
  add('meshwork_escrows_held_cents', 'The money in these escrows.', ({ escrows }) => escrows.cents);
  const owed = 'Debts of accounts for money that the processor took back, up to 10,000.';
  add('meshwork_receivables', owed, ({ receivables }) => receivables.n);
  add('meshwork_receivables_cents', 'What of these debts is not repaid.', ({ receivables }) => receivables.cents);
  const off = 'Webhooks that failures or their owners turned off, up to 10,000.';
  add('meshwork_webhooks_off', off, ({ webhooks_off }) => webhooks_off);
}

function ledgerSeries(registry: Registry, standing: () => Promise<Standing | null>): void {
  gauge(registry, 'meshwork_ledger_problems', 'What the last check of the ledger found wrong.', [], async (set) => {
    const check = (await standing())?.ledger.check;
    if (check) set(check.problems);
  });
  gauge(registry, 'meshwork_ledger_check_age_seconds', 'Since the last check of the ledger.', [], async (set) => {
    const known = await standing();
    if (known?.ledger.check) set((known.now_ms - known.ledger.check.at_ms) / 1_000);
  });
  gauge(
    registry,
    'meshwork_ledger_seal_age_seconds',
    'Since the end of the last day that is sealed.',
    [],
    async (set) => {
      const known = await standing();
      if (typeof known?.ledger.sealed_until_ms === 'number') set((known.now_ms - known.ledger.sealed_until_ms) / 1_000);
    },
  );
}

function backupSeries(registry: Registry, standing: () => Promise<Standing | null>): void {
  const add = (
    name: `meshwork_${string}`,
    help: string,
    read: (backup: BackupStanding, now_ms: number) => number | undefined,
  ) =>
    gauge(registry, name, help, [], async (set) => {
      const known = await standing();
      const value = known?.backup && read(known.backup, known.now_ms);
      if (typeof value === 'number') set(value);
    });
  add('meshwork_backup_age_seconds', 'Since the last backup in BACKUP_DIR was made.', ({ last }, now_ms) => {
    return last ? (now_ms - last.made_at) / 1_000 : undefined;
  });
  add('meshwork_backup_bytes', 'What that backup takes.', ({ last }) => last?.bytes);
  add('meshwork_backup_proof_age_seconds', 'Since a backup was last proved.', ({ proof }, now_ms) => {
    return proof ? (now_ms - proof.at_ms) / 1_000 : undefined;
  });
  add('meshwork_backup_failed', 'Whether the last try made no backup.', ({ failure }) => (failure ? 1 : 0));
  const proof = 'What the last proof of a backup found: 1 at its result.';
  gauge(registry, 'meshwork_backup_proof', proof, ['result'], async (set) => {
    const result = (await standing())?.backup?.proof?.result;
    if (result === undefined) return;
    for (const each of ['ok', 'wrong', 'inconclusive']) set(each === result ? 1 : 0, { result: each });
  });
}

function storeSeries(registry: Registry, service: DoorPorts, standing: () => Promise<Standing | null>): void {
  gauge(
    registry,
    'meshwork_database_bytes',
    'What the database takes: its file and its log.',
    ['part'],
    async (set) => {
      const sizes = (await standing())?.sizes;
      if (!sizes) return;
      set(sizes.database, { part: 'database' });
      if (sizes.log !== null) set(sizes.log, { part: 'log' });
    },
  );
  const unused = 'Pages of 4 KiB of the database file that hold nothing.';
  gauge(registry, 'meshwork_sqlite_free_pages', unused, [], async (set) => {
    const free_pages = (await standing())?.sizes.free_pages;
    if (typeof free_pages === 'number') set(free_pages);
  });
  const damage = 'What the last check of every page of the database file found wrong.';
  gauge(registry, 'meshwork_file_check_problems', damage, [], async (set) => {
    const file = (await standing())?.file;
    if (file) set(file.problems);
  });
  gauge(registry, 'meshwork_file_check_age_seconds', 'Since that check.', [], async (set) => {
    const known = await standing();
    if (known?.file) set((known.now_ms - known.file.at_ms) / 1_000);
  });
  const errors = 'Errors of the store since the start, by the code of the database.';
  countsByCode(registry, 'meshwork_store_errors_total', errors, service.store_errors);
  const { pools } = service.store;
  if (pools === null) return;
  gauge(registry, 'meshwork_pool', 'Connections at work, and statements that wait for one.', ['state'], (set) => {
    const { busy, waiting } = pools();
    set(busy, { state: 'busy' });
    set(waiting, { state: 'waiting' });
  });
}

/** Adds these metrics to a registry. */
function standingSeries(registry: Registry, service: DoorPorts): void {
  const standing = keptStanding(service);
  overdueSeries(registry, standing);
  outstandingSeries(registry, standing);
  ledgerSeries(registry, standing);
  backupSeries(registry, standing);
  storeSeries(registry, service, standing);
  const refused = 'Calls that were refused at a limit, by the code of the refusal.';
  countsByCode(registry, 'meshwork_refusals_total', refused, service.pipeline.refusals.counts);
  const replays = 'Calls that were answered by what was kept for their Idempotency-Key.';
  countElsewhere(registry, 'meshwork_idempotent_replays_total', replays, () => service.pipeline.refusals.replays);
  if (service.tracer) tracerSeries(registry, service.tracer);
  gauge(
    registry,
    'meshwork_clock_doubted',
    'Whether the clock is in doubt, or over a second off that of the database: nothing is sealed or pruned by it.',
    [],
    (set) => {
      const { doubt, apart_ms } = service.clock_watch;
      set(doubt === null && apart_ms === null ? 0 : 1);
    },
  );
  gauge(registry, 'meshwork_build_info', 'Which version this is.', ['version', 'bun'], (set) => {
    set(1, { version: manifest.version, bun: Bun.version });
  });
}

/** Upper bounds in seconds: from a cached read to a request that should have timed out. */
const DURATIONS_S = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Upper bounds of turns per commit; a group has the turns that arrive during the previous commit. */
const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Upper bounds in seconds of a turn that is too long. */
const HELD_S = [0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Metrics {
  readonly observe: Observe;
  readonly route: PlainRoute;
}

/** The series of an operation at a transport. */
interface Series {
  readonly counters: Map<number, { inc(): void }>;
  readonly histogram: { observe(seconds: number): void };
}

function requestSeries(registry: Registry): Observe {
  const requests = new Counter({
    name: 'meshwork_requests_total',
    help: 'Requests that reached an operation, by the door, its name and the status of the answer.',
    labelNames: ['door', 'operation', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'meshwork_request_duration_seconds',
    help: 'From the request to its answer, by door and operation; for streams until they open.',
    labelNames: ['door', 'operation'],
    buckets: DURATIONS_S,
    registers: [registry],
  });
  const seriesOf: Record<DoorName, Map<string, Series>> = { rest: new Map(), mcp: new Map(), a2a: new Map() };
  return (door, operation, status, started_ms) => {
    let series = seriesOf[door].get(operation);
    if (!series) {
      series = { counters: new Map(), histogram: durations.labels({ door, operation }) };
      seriesOf[door].set(operation, series);
    }
    const { counters, histogram } = series;
    const counter = counters.get(status) ?? requests.labels({ door, operation, status: String(status) });
    counters.set(status, counter);
    counter.inc();
    histogram.observe((performance.now() - started_ms) / 1000);
  };
}

/** A counter of an externally kept count. */
function countElsewhere(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

function tracerSeries(registry: Registry, tracer: NonNullable<DoorPorts['tracer']>): void {
  countElsewhere(registry, 'meshwork_spans_total', 'Spans that the collector of traces took.', () => tracer.sent);
  const dropped = 'Spans that were dropped, since the collector was away or slow.';
  countElsewhere(registry, 'meshwork_spans_dropped_total', dropped, () => tracer.dropped);
}

/** The counters of the clustered store. */
function tallySeries(registry: Registry, tally: NonNullable<DoorPorts['store']['tally']>): void {
  countElsewhere(registry, 'meshwork_commit_batches_total', 'Transactions that were tried.', () => tally.batches);
  countElsewhere(registry, 'meshwork_commit_turns_total', 'Turns in these transactions.', () => tally.turns);
  countElsewhere(
    registry,
    'meshwork_commit_conflicts_total',
    'Turns that met a change by another and decided again.',
    () => {
      return tally.conflicts;
    },
  );
  countElsewhere(
    registry,
    'meshwork_commit_retries_total',
    'Turns whose transaction failed for a passing reason.',
    () => {
      return tally.retries;
    },
  );
}

/** How this node follows the commits of the others. */
function followingSeries(registry: Registry, following: NonNullable<DoorPorts['store']['following']>): void {
  const heard = 'Commits of other nodes that this one was told of by NOTIFY.';
  countElsewhere(registry, 'meshwork_commits_heard_total', heard, () => following().heard);
  const found = 'Commits of other nodes that this one found when it looked, and had not heard of.';
  countElsewhere(registry, 'meshwork_commits_found_total', found, () => following().found);
  const lag = 'Since the last look for commits of other nodes: what was not heard of goes unseen for no longer.';
  gauge(registry, 'meshwork_follower_lag_seconds', lag, [], (set) => set(following().lag_ms / 1_000));
}

/** Failures of work after commits. */
function troubleSeries(registry: Registry, { troubles }: DoorPorts['store']): void {
  new Counter({
    name: 'meshwork_commit_troubles_total',
    help: 'What failed behind a commit that stands: a listener, the index of vectors, copying the log, a sync of the file, the high-water mark (see the log).',
    labelNames: ['trouble'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [trouble, n] of Object.entries(troubles)) this.inc({ trouble }, n);
    },
  });
}

/** The time of disk work, when this process writes the database file. */
function workSeries(registry: Registry, store: DoorPorts['store']): void {
  const seconds = new Histogram({
    name: 'meshwork_store_work_seconds',
    help: 'Work on the SQLite file: commits, copies of the log by the writer and by the thread, deletions, pages given back.',
    labelNames: ['work'],
    buckets: DURATIONS_S,
    registers: [registry],
  });
  store.onWork({ began: () => {}, ended: (work, ms) => seconds.observe({ work }, ms / 1000) });
}

/** Turns of the event loop that blocked all others, and the loop's lag. */
function loopSeries(registry: Registry, loop: DoorPorts['loop']): void {
  const held = new Histogram({
    name: 'meshwork_event_loop_held_seconds',
    help: 'Turns of the event loop above 0.2 s, by the operation, or the work of the store, that took them.',
    labelNames: ['operation'],
    buckets: HELD_S,
    registers: [registry],
  });
  loop.onHeld(({ operation, ms }) => held.observe({ operation: operation ?? 'none' }, ms / 1000));
  new Gauge({
    name: 'meshwork_event_loop_lag_seconds',
    help: 'How late the event loop was at worst since this was last read.',
    registers: [registry],
    collect() {
      this.set(loop.takeLag() / 1000);
    },
  });
}

function serviceSeries(registry: Registry, service: DoorPorts): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  gauge('meshwork_open_streams', 'Event streams that are open.', openStreams);
  gauge('meshwork_index_listings', 'Listings in the index of vectors.', () => service.store.vectors.size);
  gauge('meshwork_actors', 'Agents in memory.', () => service.directory.counts().actors);
  gauge('meshwork_streaming_actors', 'Agents with an open inbox stream.', () => service.directory.counts().streaming);
  const { delivery } = service;
  gauge(
    'meshwork_pushes_running',
    'Events on their way to a webhook or A2A endpoint.',
    () => delivery.counts().running,
  );
  gauge('meshwork_pushes_waiting', 'Agents whose events wait for such a push.', () => delivery.counts().waiting);
  countElsewhere(
    registry,
    'meshwork_pushes_total',
    'Events pushed to webhooks and A2A endpoints.',
    () => delivery.counts().pushed,
  );
  countElsewhere(registry, 'meshwork_pushes_failed_total', 'Pushes that some receiver did not take.', () => {
    return delivery.counts().failed;
  });
  countElsewhere(registry, 'meshwork_mail_readings_total', 'Mails that were parsed or authenticated.', () => {
    return service.mails.readings;
  });
  loopSeries(registry, service.loop);
  const events = new Counter({ name: 'meshwork_events_total', help: 'Inbox events committed.', registers });
  const groups = new Histogram({
    name: 'meshwork_group_commit_turns',
    help: 'Turns that shared one commit and one wait for the disk.',
    buckets: GROUP_SIZES,
    registers,
  });
  service.store.onCommit((notice) => {
    groups.observe(notice.turns);
    if (notice.events.length > 0) events.inc(notice.events.length);
  });
}

/** Whether an address is the machine's own. */
function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === '::1';
}

/** The library's metrics of the process; its others are of Node.js, and walk through the heap. */
const OF_PROCESS = [cpu, startTime, memory, descriptors, descriptorsMax, eventLoopLag, heapSize];

/** The listener's metrics. */
interface Listening {
  /** The address of the socket, without proxy headers. */
  peer(request: Request): string;
  /** The number of checks that found descriptors short. */
  short(): number;
  /** When the TLS certificate expires, in epoch milliseconds; null without one. */
  readonly certificate_ends: (() => number) | null;
}

/** The metrics of a service. */
export function createMetrics(service: DoorPorts, { peer, short, certificate_ends }: Listening): Metrics {
  const registry = new Registry();
  // The lag is sampled ten times a second; the default of a hundred keeps an idle process awake.
  for (const series of OF_PROCESS) series(registry, { eventLoopMonitoringPrecision: 100 });
  serviceSeries(registry, service);
  troubleSeries(registry, service.store);
  workSeries(registry, service.store);
  standingSeries(registry, service);
  countElsewhere(registry, 'meshwork_descriptors_short_total', 'Looks that found descriptors short.', () => short());
  if (certificate_ends) {
    const help = 'When the certificate of HOST:PORT ends, in seconds since 1970.';
    gauge(registry, 'meshwork_certificate_ends_seconds', help, [], (set) => set(certificate_ends() / 1000));
  }
  const { following, tally, matching } = service.store;
  if (tally) tallySeries(registry, tally);
  if (following) followingSeries(registry, following);
  if (matching) {
    gauge(registry, 'meshwork_matching_requests', 'Requests to matching, asked or answered.', ['state'], (set) => {
      for (const [state, n] of Object.entries(matching.counts)) set(n, { state });
    });
  }
  const { internal_token, base_url, app_url } = service.settings;
  const foreign = foreignCheck([base_url, app_url]);
  return {
    observe: requestSeries(registry),
    route: {
      method: 'GET',
      path: '/metrics',
      handle: async (request) => {
        const token = request.headers.get('x-internal-token');
        // A foreign page can reach a loopback address by a name of its own, and so does a proxy that is not configured.
        const near = isLoopback(peer(request)) && foreign(request.headers) === null;
        const allowed = token === null ? near : sameSecret(token, internal_token);
        if (!allowed) {
          const refusal = fault('unauthorized', 'The metrics need the header X-Internal-Token.');
          return refuseBare(refusal, { 'WWW-Authenticate': 'Bearer realm="meshwork"' });
        }
        const headers = { 'Content-Type': registry.contentType, 'X-Request-Id': Bun.randomUUIDv7() };
        return new Response(await registry.metrics(), { headers });
      },
    },
  };
}
