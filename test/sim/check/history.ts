// What must hold between one step and the next: acknowledged messages stay, events never change, a declined pair never
// comes back, and the plan's counters move by exactly what was shown.
import { PLANS } from '../../../src/domain/identity/plan.ts';
import type { TestAnswer } from '../../support/testbed.ts';
import type { Call } from '../call.ts';
import { must, none } from '../failure.ts';
import type { Sim } from '../sim.ts';

interface Shown {
  readonly account_id: string;
  readonly key: string;
}

const SHOWN = `SELECT a.account_id, m.match_id || ':' || j.value AS key FROM matches m, json_each(m.shown_to) j
  JOIN agents a ON a.id = j.value`;
const SAID = 'SELECT approved_by, saved_by FROM matches WHERE match_id = ?';
const ACCOUNTS = 'SELECT id, plan FROM accounts';

export class History {
  readonly #messages = new Map<string, string>();
  readonly #events = new Map<string, string>();
  readonly #declined = new Set<string>();
  /** What sides said of matches and was acknowledged, by match: the agents that approved or saved it. */
  readonly #said = new Map<string, { readonly column: 'approved_by' | 'saved_by'; readonly agent_id: string }[]>();
  readonly #shown = new Set<string>();
  readonly #was_pro = new Set<string>();
  /** Matches first shown in the month that began then, by account. */
  #month = '';
  #fresh = new Map<string, number>();

  /** Takes note of what an answer acknowledged. */
  heard({ operation }: Call, { status, body }: TestAnswer): void {
    if (status >= 300) return;
    if (operation.name === 'message.send') {
      const { message_id, conversation_id, content } = body;
      this.#messages.set(message_id, JSON.stringify({ conversation_id, content }));
    }
    const events = Array.isArray(body) ? body : body?.events;
    if (!operation.name.startsWith('inbox.') || !Array.isArray(events)) return;
    for (const { id, seq, kind, handle, data, created_at } of events) {
      // Its buyer may move the end of a request to a later time, in the events that asked for quotes too.
      const told = kind === 'demand.posted' ? { ...data, closes_at: null } : data;
      const fixed = JSON.stringify({ seq, kind, handle, data: told, created_at });
      const before = this.#events.get(id) ?? fixed;
      // Whoever deletes its account loses its name there too.
      must(before === fixed || fixed.includes('"deleted_'), 'an event changed', { id, before, fixed });
      this.#events.set(id, fixed);
    }
  }

  check(sim: Sim): void {
    this.#checkMessages(sim);
    this.#checkMatches(sim);
    this.#checkPlans(sim);
  }

  #checkMessages(sim: Sim): void {
    const rows = sim.db.rows<{ id: string; conversation_id: string; content: string }>(
      'SELECT id, conversation_id, content FROM messages',
    );
    const stored = new Map(rows.map(({ id, ...rest }) => [id, JSON.stringify(rest)]));
    const lost = [...this.#messages].filter(([id, told]) => stored.get(id) !== told);
    none(lost, 'an acknowledged message is not stored as it was told');
  }

  #checkMatches(sim: Sim): void {
    for (const [match_id, words] of this.#said) {
      const [row] = sim.db.rows<{ approved_by: string; saved_by: string }>(SAID, match_id);
      const lost = words.filter(({ column, agent_id }) => !row?.[column].includes(agent_id));
      none(lost, `what a side said of the match ${match_id} is forgotten`);
    }
    const declined = sim.db.column(`SELECT match_id FROM matches WHERE status = 'declined'`);
    for (const id of declined) this.#declined.add(id);
    must(declined.length === this.#declined.size, 'a declined match is no longer declined');
  }

  /** The monthly counter is what was shown for the first time since the month began, and within the plan. */
  #checkPlans(sim: Sim): void {
    const month = new Date(sim.clock.now()).toISOString().slice(0, 7);
    if (month !== this.#month) this.#fresh = new Map();
    this.#month = month;
    for (const { account_id, key } of sim.db.rows<Shown>(SHOWN)) {
      if (this.#shown.has(key)) continue;
      this.#shown.add(key);
      this.#fresh.set(account_id, (this.#fresh.get(account_id) ?? 0) + 1);
    }
    for (const { id, plan } of sim.db.rows<{ id: string; plan: 'free' | 'pro' }>(ACCOUNTS)) {
      if (plan === 'pro') this.#was_pro.add(id);
      const used = (meter: string, suffix: string): number =>
        sim.db.number('SELECT n FROM counters WHERE id = ?', `plan:${meter}:${id}${suffix}`);
      const matches = used('matches', `:${month}`);
      must(matches === (this.#fresh.get(id) ?? 0), 'matches are not counted as they are shown', {
        id,
        counted: matches,
        shown: this.#fresh.get(id),
      });
      const { limits } = PLANS[this.#was_pro.has(id) ? 'pro' : 'free'];
      for (const [meter, n] of [
        ['listings', used('listings', '')],
        ['matches', matches],
        ['conversations', used('conversations', `:${month}`)],
      ] as const) {
        must(n >= 0 && n <= (limits[meter] ?? n), `an account has more ${meter} than its plan allows`, { id, n });
      }
    }
  }
}
