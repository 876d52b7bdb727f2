// The streams that are open: how many there may be, and that each ends with the credential or the agent that it was opened
// with. A call is checked when it is made; a stream outlives its check, so it is checked again whenever these change.
import { agentById } from '../../../db/queries/agent.ts';
import { keyById, sessionById } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { nameOf } from '../../../db/schema/told.ts';
import type { CommitNotice } from '../../../db/store.ts';
import { type Fault, fault } from '../../domain/fault.ts';
import type { Principal, StreamSink } from '../operation.ts';
import type { World } from '../world.ts';

/** At some 10 KB each, these take 200 MB: beyond it the pull form serves more readers with less (interface.md, Inbox). */
const STREAMS_MAX = 20_000;
/** Of them for one account: enough for a stream of each of its agents, and too few to keep everybody else out. */
const ACCOUNT_MAX = 1_000;

interface Watched {
  readonly sink: StreamSink;
  readonly guard: Principal['guard'];
  readonly agent_id: string | null;
}

export class OpenStreams {
  readonly #world: World;
  /** By `table:id` of the rows on which the streams hang. */
  readonly #by = new Map<string, Set<Watched>>();
  #open = 0;
  readonly #ofAccount = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
    world.store.onCommit((notice) => this.#recheck(notice));
  }

  /** 503 when there are as many as the service carries, or as one account may hold. */
  full({ account_id }: Principal): Fault<'stream_unavailable'> | null {
    if (this.#open >= STREAMS_MAX) return fault('stream_unavailable');
    if ((this.#ofAccount.get(account_id ?? '') ?? 0) < ACCOUNT_MAX) return null;
    return fault('stream_unavailable', `Your account has ${ACCOUNT_MAX} streams open; close some, or pull.`);
  }

  #count(account_id: string, by: 1 | -1): void {
    this.#open += by;
    const now = (this.#ofAccount.get(account_id) ?? 0) + by;
    if (now === 0) this.#ofAccount.delete(account_id);
    else this.#ofAccount.set(account_id, now);
  }

  /** Starts a stream on a sink that writes nothing any more once its credential has expired. */
  async admit(
    principal: Principal,
    agent: Row<'agents'> | null,
    start: (sink: StreamSink) => void,
  ): Promise<(sink: StreamSink) => void> {
    const { guard } = principal;
    const account_id = principal.account_id ?? '';
    const expires_at = await this.#expiry(guard);
    return (sink) => {
      const watched: Watched = { sink, guard, agent_id: agent?.id ?? null };
      const rows = [guard && `${guard.table}:${guard.id}`, agent && `agents:${agent.id}`].filter((row) => row !== null);
      this.#count(account_id, 1);
      for (const row of rows) this.#by.set(row, (this.#by.get(row) ?? new Set()).add(watched));
      sink.onClose(() => {
        this.#count(account_id, -1);
        for (const row of rows) this.#forget(row, watched);
      });
      start({
        write: (chunk) => {
          if (this.#world.clock.now() < expires_at) return sink.write(chunk);
          sink.close();
          return false;
        },
        drained: () => sink.drained(),
        close: () => sink.close(),
        onClose: (listener) => sink.onClose(listener),
      });
    };
  }

  #forget(row: string, watched: Watched): void {
    const set = this.#by.get(row);
    set?.delete(watched);
    if (set?.size === 0) this.#by.delete(row);
  }

  /** When the credential ends; 0 when it has. */
  async #expiry(guard: Principal['guard']): Promise<number> {
    if (!guard) return Number.POSITIVE_INFINITY;
    const { read } = this.#world.store;
    if (guard.table === 'sessions') {
      const session = await read(sessionById, { id: guard.id });
      return session && session.ended_at === null ? session.expires_at : 0;
    }
    const key = await read(keyById, { id: guard.id });
    return key && key.revoked_at === null ? key.expires_at : 0;
  }

  #recheck(notice: CommitNotice): void {
    for (const row of notice.changed) {
      for (const watched of this.#by.get(nameOf(row)) ?? []) {
        // What cannot be checked must not go on.
        this.#stands(watched).then(
          (stands) => stands || watched.sink.close(),
          () => watched.sink.close(),
        );
      }
    }
  }

  async #stands({ guard, agent_id }: Watched): Promise<boolean> {
    if ((await this.#expiry(guard)) <= this.#world.clock.now()) return false;
    if (agent_id === null) return true;
    const agent = await this.#world.store.read(agentById, { id: agent_id });
    return agent !== null && agent.deactivated_at === null;
  }
}
