// What must hold of deliveries once event delivery is idle: each event of an agent reached every webhook that wanted it, in
// the order of the inbox, and no place of event delivery is beyond its inbox or behind what was pushed.
import { none } from '../failure.ts';
import type { Sim } from '../sim.ts';

interface Standing {
  readonly id: string;
  readonly agent_id: string;
  readonly kind: string;
  readonly url: string;
  readonly events: string;
  readonly mute: string;
  readonly head: number;
}

const STANDING = `SELECT w.id, w.agent_id, w.kind, w.url, w.events, coalesce(json_extract(a.wake, '$.mute'), '[]') AS mute,
    coalesce(i.last_seq, 0) AS head FROM webhooks w JOIN agents a ON a.id = w.agent_id
  LEFT JOIN inboxes i ON i.id = w.agent_id WHERE w.active = 1 AND a.deactivated_at IS NULL ORDER BY w.id`;
const NEW = 'SELECT id, kind FROM events WHERE agent_id = ? AND seq > ? ORDER BY seq';
// A flag of an inbox that is through costs the next look one row, which takes it down.
const BEHIND = 'SELECT id, last_seq, delivered_seq FROM inboxes WHERE delivered_seq <> last_seq';

/** Whether two looks show the same subscription. */
function same(a: Standing, b: Standing): boolean {
  return a.url === b.url && a.events === b.events && a.mute === b.mute;
}

export class Deliveries {
  #before = new Map<string, Standing>();

  /** Compares with the look before; what was changed in between is left out, since when it changed is not known. */
  check(sim: Sim): void {
    const now = sim.db.rows<Standing>(STANDING);
    const missed = now.flatMap((hook) => {
      const before = this.#before.get(hook.id);
      return before && same(before, hook) ? this.#missed(sim, hook, before.head) : [];
    });
    none(missed, 'an event did not reach a webhook in its order');
    none(sim.db.rows(BEHIND), 'event delivery that is not at the end of its inbox');
    this.#before = new Map(now.map((hook) => [hook.id, hook]));
  }

  #missed(sim: Sim, hook: Standing, from: number): object[] {
    const mute: readonly string[] = JSON.parse(hook.mute);
    const events: readonly string[] = JSON.parse(hook.events);
    const all = hook.kind === 'agent' || events.includes('*');
    const wanted = sim.db
      .rows<{ id: string; kind: string }>(NEW, hook.agent_id, from)
      .filter(({ kind }) => !mute.includes(kind) && (all || events.includes(kind)))
      .map(({ id }) => id);
    // Each for the first time: repetitions and what was asked for by hand come in between.
    const came = [...new Set(sim.receivers.reached(hook.url))].filter((id) => wanted.includes(id));
    return Bun.deepEquals(came, wanted) ? [] : [{ hook, came, wanted }];
  }
}
