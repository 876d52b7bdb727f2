// Figures of what whoever runs the service has to act on: what is late, how the ledger and the clock stand, what the database takes,
// what is refused. They are read when they are asked for, and kept for some seconds: each costs the same however many agents there are.

import { Counter, Gauge, type Registry } from 'prom-client';
import {
  inboxesBehind,
  openPayouts,
  overdueLetters,
  overdueReminders,
  unknownAttempts,
} from '../../db/queries/overdue.ts';
import manifest from '../../package.json' with { type: 'json' };
import { DAY_MS } from '../domain/time.ts';
import { type LedgerStanding, readStanding } from '../steps/money/ledger-standing.ts';
import type { DoorPorts } from './door-ports.ts';

/** So long what was read is told again. */
const KEPT_MS = 10_000;
/** A call to a provider that takes longer than this is not under way any more. */
const UNDER_WAY_MS = 120_000;

interface Overdue {
  readonly n: number;
  readonly oldest: number | null;
}

interface Standing {
  readonly now_ms: number;
  readonly overdue: Readonly<Record<string, Overdue>>;
  readonly ledger: LedgerStanding;
  readonly sizes: Awaited<ReturnType<DoorPorts['store']['sizes']>>;
}

async function readAll({ store, clock }: DoorPorts): Promise<Standing> {
  const now_ms = clock.now();
  const { read } = store;
  const none: Overdue = { n: 0, oldest: null };
  const [reminders, letters, inboxes, payouts, calls, ledger, sizes] = await Promise.all([
    read(overdueReminders, { now_ms }),
    read(overdueLetters, { now_ms }),
    read(inboxesBehind, {}),
    read(openPayouts, {}),
    read(unknownAttempts, { from: now_ms - DAY_MS, to: now_ms - UNDER_WAY_MS }),
    readStanding(read),
    store.sizes(),
  ]);
  const overdue = {
    reminders: reminders ?? none,
    letters: letters ?? none,
    inboxes: inboxes ?? none,
    payouts: payouts ?? none,
    router_calls: calls ?? none,
  };
  return { now_ms, overdue, ledger, sizes };
}

/** Reads at most once in ten seconds, however often it is asked. Null while the database is away. */
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

/** A gauge whose values are set anew at each look. */
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

/** A counter of what is counted elsewhere, by codes. */
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

/** Adds these figures to a registry. */
export function standingSeries(registry: Registry, service: DoorPorts): void {
  const standing = keptStanding(service);
  overdueSeries(registry, standing);
  ledgerSeries(registry, standing);
  storeSeries(registry, service, standing);
  const refused = 'Calls that were refused at a limit, by the code of the refusal.';
  countsByCode(registry, 'meshwork_refusals_total', refused, service.pipeline.refusals.counts);
  gauge(
    registry,
    'meshwork_clock_doubted',
    'Whether the clock is in doubt, so that nothing is sealed or pruned.',
    [],
    (set) => {
      set(service.clock_watch.doubt === null ? 0 : 1);
    },
  );
  gauge(registry, 'meshwork_build_info', 'Which version this is.', ['version', 'bun'], (set) => {
    set(1, { version: manifest.version, bun: Bun.version });
  });
}
