// How a node follows the commits of the others: it listens, and it looks now and then, which repairs what was not heard.
// Truth is in the rows; a wake-up only says where to look.
import { type Told, toldOf } from '../schema/told.ts';
import type { CommitNotice, Following } from '../store.ts';
import { DB_NOW_MS, type Server } from './connection.ts';
import { Listening } from './listening.ts';
import { Notices } from './notices.ts';
import type { Pool } from './pool.ts';
import { literal } from './shapes.ts';
import type { Silence } from './silence.ts';
import type { IndexedVectors } from './vector-rows.ts';
import { parseWakeUp } from './wake-up.ts';

/** Credentials may be believed for five seconds, so nothing may go unseen for longer. */
const LOOK_MS = 4_000;
/** Batches are logged shortly before they commit; a node that stalls for longer loses its transaction. */
const OVERLAP_MS = 12_000;
/** Where Citus distributes the tables, events appear on a worker after the row of their commit, and where a server was lost once Citus
 * has ended what was prepared (citus.recover_2pc_interval, five seconds by operate.md). So many looks wake the agents of a commit. */
const LATE_LOOKS = 3;
/** Searches for a commit with an unknown outcome: ten minutes, after which its row is deleted. */
const DOUBTED_LOOKS = 150;
/** The most such commits at once. One takes half a minute to arise, so only hundreds of lanes could exceed this. */
const DOUBTED_MAX = 1_000;

type Woken = readonly string[] | '*';

/** The NOTIFY channel of the nodes. */
const CHANNEL = 'meshwork_commits';

interface Logged {
  readonly id: string;
  readonly agents: Woken;
  readonly changed: readonly string[];
  readonly vectors: readonly string[];
}

const wokenOf = ({ agents }: Record<string, unknown>): Pick<Logged, 'agents'> => ({
  agents: JSON.parse(String(agents)) as Woken,
});

function loggedOf(raw: Record<string, unknown>): Logged {
  const parsed = (name: string): unknown => JSON.parse(String(raw[name]));
  // A node of ours wrote the row, in this shape.
  return {
    id: String(raw.id),
    ...wokenOf(raw),
    changed: parsed('changed') as string[],
    vectors: parsed('vectors') as string[],
  };
}

export interface CommitFollowerOptions {
  /** The server for LISTEN; null when it only polls. */
  readonly listens_at: Server | null;
  readonly pool: Pool;
  /** This node's name. */
  readonly node: string;
  readonly silence: Silence;
  /** Whether Citus distributes the tables. */
  readonly distributed: boolean;
  /** Gets the notices of other nodes that are of no commit. */
  readonly heard: (notice: string) => void;
}

export class CommitFollower {
  readonly #pool: Pool;
  readonly #node: string;
  /** Null on a node without the index. */
  readonly #vectors: IndexedVectors | null;
  readonly #tell: (notice: CommitNotice) => void;
  readonly #heardOther: (notice: string) => void;
  /** Commits that were followed, with the time after which they cannot be met again. */
  readonly #seen = new Map<string, number>();
  #heard: string[] = [];
  #told_count = 0;
  #found_count = 0;
  #looked_at_ms = performance.now();
  /** Own commits with an unknown outcome, each with its remaining searches. */
  readonly #doubted = new Map<string, number>();
  /** Null where the server has no NOTIFY: nodes poll for each other's commits. */
  #notices: Notices | null = null;
  readonly #listening: Listening;
  #timer: ReturnType<typeof setInterval> | null = null;
  readonly #distributed: boolean;
  /** When the last looks were, by the server's clock: only the last one, where events are visible with the row of their commit. */
  #looks: readonly number[] = [];
  #reading = Promise.resolve();

  constructor(by: CommitFollowerOptions, vectors: IndexedVectors | null, tell: (notice: CommitNotice) => void) {
    this.#pool = by.pool;
    this.#node = by.node;
    this.#distributed = by.distributed;
    this.#vectors = vectors;
    this.#tell = tell;
    this.#heardOther = by.heard;
    const [heard, listens] = [(payload: string) => this.#hear(payload), () => this.look()];
    this.#listening = new Listening(by.pool, { ...by, channel: CHANNEL, heard, listens });
  }

  /** Listens first and loads then, so that nothing falls between. Where the server knows no LISTEN or NOTIFY, as YugabyteDB
   * may not, looking is all there is. */
  async open(): Promise<void> {
    const [row] = await this.#pool.unsafe(`SELECT ${DB_NOW_MS} AS now_ms`);
    this.#looks = [Number(row?.now_ms)];
    this.#reading = this.#vectors?.load() ?? this.#reading;
    await this.#listening.open();
    const notifies = await this.#pool.unsafe('SELECT pg_notify($1, $2)', [CHANNEL, '']).then(
      () => true,
      () => false,
    );
    if (notifies) this.#notices = new Notices(this.#pool, CHANNEL);
    await this.#reading;
    this.#timer = setInterval(() => {
      this.look();
      if (this.#notices) this.#after(() => this.#listening.check());
    }, LOOK_MS);
    this.#timer.unref();
  }

  get following(): Following {
    return { heard: this.#told_count, found: this.#found_count, lag_ms: performance.now() - this.#looked_at_ms };
  }

  /** Tells the other nodes of a commit of this one, or of something else. */
  tell(notice: string): void {
    this.#notices?.add(notice);
  }

  /** Resolves when the commits are followed that this node has heard of. */
  caughtUp(): Promise<void> {
    return this.#reading;
  }

  /** Reads the vectors that this node's own commits wrote, in turn with those of the others. */
  readVectors(): void {
    this.#after(async () => this.#vectors?.refresh());
  }

  /** Follows a commit of this node like another's, should it turn out to be committed: no listener here was told of it. */
  doubt(commit_id: string): void {
    const [oldest] = this.#doubted.keys();
    if (this.#doubted.size >= DOUBTED_MAX && oldest !== undefined) this.#doubted.delete(oldest);
    this.#doubted.set(commit_id, DOUBTED_LOOKS);
    this.look();
  }

  /** Searches for commits without a notice. */
  look(): void {
    this.#after(async () => {
      const began_ms = performance.now();
      const [from_ms = 0] = this.#looks;
      const rows = await this.#pool.unsafe(
        `SELECT id, node = $2 AS own, agents, changed, vectors, ${DB_NOW_MS} AS now_ms FROM commits
         WHERE (created_at > $1${this.#distributed ? '' : ' AND node <> $2'}) OR id = ANY($3::text[]) ORDER BY created_at`,
        [from_ms - OVERLAP_MS, this.#node, literal([...this.#doubted.keys()])],
      );
      const now_ms = Number(rows.at(-1)?.now_ms ?? this.#since_ms);
      const isKnown = ({ id, own }: Record<string, unknown>): boolean =>
        this.#seen.has(String(id)) || (own === true && !this.#doubted.has(String(id)));
      // Of most rows nothing else is read.
      const known = this.#distributed ? rows.filter(isKnown).map(wokenOf) : [];
      const fresh = rows.filter((row: Record<string, unknown>) => !isKnown(row)).map(loggedOf);
      for (const { id } of rows) this.#doubted.delete(String(id));
      for (const [id, looks] of this.#doubted) {
        if (looks > 1) this.#doubted.set(id, looks - 1);
        else this.#doubted.delete(id);
      }
      this.#found_count += await this.#follow(fresh);
      if (known.length > 0) this.#tell(noticeOf(wokenBy(known), []));
      this.#looks = [...this.#looks, now_ms].slice(this.#distributed ? -LATE_LOOKS : -1);
      this.#looked_at_ms = began_ms;
      for (const [id, until] of this.#seen) if (until < now_ms) this.#seen.delete(id);
      await this.#vectors?.refresh();
    });
  }

  #hear(payload: string): void {
    const wakeUp = parseWakeUp(payload);
    if (!wakeUp) this.#heardOther(payload);
    if (!wakeUp || wakeUp.node === this.#node) return;
    if (this.#seen.has(wakeUp.commit_id)) {
      // A look may have found it before its events were visible.
      if (this.#distributed) this.#tell(noticeOf(wakeUp.agents, []));
      return;
    }
    if (!wakeUp.rows) {
      this.#note(wakeUp.commit_id);
      this.#told_count += 1;
      this.#tell(noticeOf(wakeUp.agents, []));
      return;
    }
    this.#heard.push(wakeUp.commit_id);
    this.#after(async () => {
      const ids = this.#heard.splice(0);
      if (ids.length === 0) return;
      const rows = await this.#pool.unsafe(
        'SELECT id, agents, changed, vectors FROM commits WHERE id = ANY($1::text[])',
        [literal(ids)],
      );
      this.#told_count += await this.#follow(rows.map(loggedOf));
    });
  }

  /** Returns how many of them are new. */
  async #follow(commits: readonly Logged[]): Promise<number> {
    const fresh = commits.filter(({ id }) => !this.#seen.has(id));
    if (fresh.length === 0) return 0;
    for (const { id } of fresh) this.#note(id);
    const names = new Set(fresh.flatMap((c) => c.changed));
    // A node of another version may name tables that this one does not follow.
    const changed = [...names].map(toldOf).filter((row) => row !== null);
    // First: an ended credential must not wait for vectors that cannot be read. Those are read again later.
    this.#tell(noticeOf(wokenBy(fresh), changed));
    await this.#vectors?.refresh([...new Set(fresh.flatMap((c) => c.vectors))]);
    return fresh.length;
  }

  get #since_ms(): number {
    return this.#looks.at(-1) ?? 0;
  }

  #note(commit_id: string): void {
    this.#seen.set(commit_id, this.#since_ms + 3 * (OVERLAP_MS + LOOK_MS));
  }

  /** One reading after the other; one that fails is made good by the next look. */
  #after(step: () => Promise<void>): void {
    this.#reading = this.#reading.then(step).catch(() => {});
  }

  async close(): Promise<void> {
    await this.#notices?.close();
    if (this.#timer) clearInterval(this.#timer);
    this.#listening.close();
    await this.#reading;
  }
}

function wokenBy(commits: readonly Pick<Logged, 'agents'>[]): Woken {
  return commits.some(({ agents }) => agents === '*') ? '*' : [...new Set(commits.flatMap(({ agents }) => agents))];
}

/** The notice of another node's commit: only the agents to wake and the rows to drop. */
function noticeOf(woken: Woken, changed: readonly Told[]): CommitNotice {
  return { turns: 0, events: [], reminders: [], sends: [], replies: [], changed, woken };
}
