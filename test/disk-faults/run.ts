// Turns on an embedded store, in groups, with what was acknowledged at which frame of the log, and the files as they lie on the disk at
// any moment between two groups.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Effect, insert } from '../../db/effects.ts';
import { DATABASE_FILE } from '../../db/sqlite/connection.ts';
import { LogIndex } from '../../db/sqlite/log-index.ts';
import { MARK_FILE, readMark } from '../../db/sqlite/mark.ts';
import { openSqliteStore } from '../../db/sqlite/sqlite-store.ts';
import type { Store } from '../../db/store.ts';
import { fault } from '../../src/domain/fault.ts';
import { type Account, type GuardedAccount, post } from '../../src/domain/money/ledger.ts';
import { blankAgent } from '../../src/steps/agent/blank.ts';
import { until } from '../support/until.ts';

export const LOG_FILE = `${DATABASE_FILE}-wal`;
/** Journals by which the agents have their money, from nowhere: the ledger's check names each. */
export const FUNDED = 'funded:';
const AGENTS = 20;
/** Every so many turns write a page that no later turn changes. */
const LARGE = 8;
const AT_MS = Date.UTC(2026, 0, 1);

/** The turns that had been acknowledged when the log ended at a frame. */
export interface Acknowledged {
  readonly frame: number;
  readonly ids: readonly string[];
}

/** The files of a folder at one moment, and what had been acknowledged by then. */
export interface Left extends Acknowledged {
  readonly folder: string;
}

export function openStore(data_dir: string, log_frames = 1_000_000): Store {
  const sealer = { seal: (plain: string) => plain };
  return openSqliteStore({ data_dir, sealer, dimensions: 256, model: 'm', now_ms: AT_MS, log_frames });
}

export function copyFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of [DATABASE_FILE, LOG_FILE, MARK_FILE]) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
}

const agentId = (n: number): string => `agent-${n % AGENTS}`;
const walletOf = (n: number): GuardedAccount => `wallet:${agentId(n)}`;

const taken = fault('conflict', 'taken');
function moved(id: string, debit: Account, credit: Account, amount_cents: number): Effect {
  const head = { id, kind: 'send', subject_id: null, created_at: AT_MS } as const;
  return post(head, [{ debit, credit, amount_cents }], taken, taken);
}

function agentRows(n: number): Effect[] {
  const account_id = `account-${n}`;
  const names = { account_id, handle: `agent_${n}`, display_name: `Agent ${n}` };
  return [
    insert('accounts', { id: account_id, email: `${n}@example.org`, plan: 'free', created_at: AT_MS }),
    insert('agents', blankAgent({ id: () => agentId(n), now_ms: AT_MS }, names)),
    moved(`${FUNDED}${n}`, 'processor', walletOf(n), 1_000_000),
  ];
}

/** Makes the database of a folder, with agents and nothing in its log. */
export async function begin(folder: string): Promise<void> {
  const store = openStore(folder);
  const effects = Array.from({ length: AGENTS }, (_, n) => agentRows(n)).flat();
  await store.turn({ attempt: async () => ({ reply: null, effects }) });
  await store.close();
}

/** An event, money and a key that is answered once. */
async function turnOf(store: Store, n: number, id: string): Promise<void> {
  const to = agentId(n);
  const data = n % LARGE === 0 ? { n, text: 'x'.repeat(3_000) } : { n };
  const told = { event: 'test.ping', data, subject_id: null, awaiting: false, respond_by: null };
  const effects: Effect[] = [
    { do: 'event', id: `event-${id}`, to, handle: to, created_at: AT_MS, ...told },
    moved(`journal-${id}`, walletOf(n), walletOf(n + 1 + (n % 7)), 1 + (n % 100)),
  ];
  const expires_at = AT_MS + 86_400_000;
  const keep = () => ({ status: 'ok', value: '{}', notes: {}, sealed: false }) as const;
  const idempotency = { id, request_hash: 'h', now_ms: AT_MS, expires_at, keep };
  await store.turn({ attempt: async () => ({ reply: null, effects }), idempotency });
}

export interface Begins {
  readonly log_frames: number;
  /** The number of its first turn. */
  readonly first: number;
  /** The turns that are in the folder. */
  readonly before: readonly string[];
  /** Does what the test alone needs. */
  readonly aside: <T>(work: () => T) => T;
}

export class Run {
  readonly folder: string;
  readonly store: Store;
  readonly #log: LogIndex;
  readonly #ids: string[];
  /** After each group. */
  readonly acknowledged: Acknowledged[] = [];
  /** The turns of each group of which some were refused: whether they are there is not known. */
  readonly unsure: (readonly string[])[] = [];
  #next: number;

  constructor(folder: string, { log_frames, first = 0, before = [], aside = (work) => work() }: Partial<Begins> = {}) {
    this.#ids = [...before];
    this.folder = folder;
    this.store = openStore(folder, log_frames);
    this.#log = aside(() => new LogIndex(join(folder, DATABASE_FILE)));
    this.#next = first;
  }

  get refused(): number {
    return this.unsure.flat().length;
  }

  /** Turns that share a commit. */
  async group(turns: number): Promise<void> {
    const refused: string[] = [];
    const doing = Array.from({ length: turns }, async () => {
      const n = this.#next++;
      const id = `turn-${n}`;
      try {
        await turnOf(this.store, n, id);
        this.#ids.push(id);
      } catch {
        refused.push(id);
      }
    });
    await Promise.all(doing);
    if (refused.length > 0) this.unsure.push(refused);
    this.acknowledged.push({ frame: this.#log.frames(), ids: [...this.#ids] });
  }

  /** Copies the files as they lie on the disk now. */
  leave(): Left {
    const folder = mkdtempSync(join(this.folder, 'left-'));
    copyFiles(this.folder, folder);
    return { folder, frame: this.#log.frames(), ids: [...this.#ids] };
  }

  /** Waits until the mark names the end of the log. */
  async marked(): Promise<void> {
    await until(() => {
      const mark = readMark(this.folder);
      return mark !== null && mark !== 'torn' && mark.log?.frame === this.#log.frames();
    });
  }

  async close(): Promise<void> {
    await this.store.close();
    this.#log.close();
  }
}
