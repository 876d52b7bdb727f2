// What people want and have others quote for: of the topics of their listings, so that some are woken.
import { type Action, actingOf } from '../planned.ts';
import type { Sim } from '../sim.ts';

const TOPICS = ['logo-design', 'ropes', 'seo', 'payroll', 'branding'];
const HOUR_MS = 3_600_000;

/** A request for quotes, mostly one that is open. */
function someRequest({ choose, db }: Sim): string | null {
  const open = db.column("SELECT id FROM demand_requests WHERE status = 'open' ORDER BY id DESC LIMIT 20");
  const all = db.column('SELECT id FROM demand_requests ORDER BY id DESC LIMIT 20');
  return choose.maybe(choose.chance(0.8) && open.length > 0 ? open : all);
}

/** Hours ahead, seldom too few. */
function hoursAhead({ choose, clock }: Sim): string {
  return new Date(clock.now() + choose.below(30 * 24) * HOUR_MS).toISOString();
}

/** Does something to a request as one of the person's agents: that which posted it, where it is theirs. */
function onRequest(bodyOf: (sim: Sim, request_id: string) => Record<string, unknown>, own: boolean): Action {
  return (sim, person) => {
    const acting = actingOf(sim, person);
    const mine = person.agents.flatMap(({ id, handle }) => {
      const [last] = sim.db.column('SELECT id FROM demand_requests WHERE agent_id = ? ORDER BY id DESC LIMIT 1', id);
      return last === undefined ? [] : [{ request_id: last, agent: handle }];
    });
    const meant = own && sim.choose.chance(0.9) ? sim.choose.maybe(mine) : null;
    const request_id = meant?.request_id ?? someRequest(sim);
    if (!acting || request_id === null) return null;
    return { ...acting, ...(meant && { agent: meant.agent }), path: { request_id }, body: bodyOf(sim, request_id) };
  };
}

export const DEMAND: Readonly<Record<string, Action>> = {
  'demand.post': (sim, person) => {
    const acting = actingOf(sim, person);
    const { choose } = sim;
    const labels = choose.chance(0.95) ? [choose.pick(TOPICS)] : [];
    const budget_cents = 100 * (1 + choose.below(1_000));
    const body = { headline: `Wanted: ${labels[0] ?? 'nothing'}`, labels, budget_cents, closes_at: hoursAhead(sim) };
    return acting && { ...acting, body };
  },
  'demand.quote': onRequest(({ choose, db }, request_id) => {
    const most = db.number('SELECT budget_cents FROM demand_requests WHERE id = ?', request_id);
    return { price_cents: 1 + choose.below(Math.ceil(most * 1.1)) };
  }, false),
  'demand.award': onRequest(({ choose, db }, request_id) => {
    const quotes = db.column('SELECT id FROM demand_quotes WHERE request_id = ? ORDER BY id DESC', request_id);
    return { quote_id: choose.maybe(quotes) ?? request_id };
  }, true),
  'demand.update': onRequest((sim) => ({ closes_at: hoursAhead(sim) }), true),
  'demand.close': onRequest(() => ({}), true),
  'demand.read': (sim, person) => {
    const acting = actingOf(sim, person);
    const request_id = someRequest(sim);
    return acting && request_id !== null ? { ...acting, path: { request_id } } : null;
  },
};
