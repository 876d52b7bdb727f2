// What people want and have others quote for: of the topics of their listings, so that some are woken.
import { HOUR_MS } from '../../../src/domain/time.ts';
import type { Person } from '../person.ts';
import { type Action, actingOf, type Credential, ownerOf } from '../planned.ts';
import type { Sim } from '../sim.ts';

const TOPICS = ['logo-design', 'ropes', 'seo', 'payroll', 'branding'];

/** The person as one of its agents, mostly one that has proven who it is. */
function dealing(sim: Sim, person: Person): { as: Credential; agent: string } | null {
  const proven = sim.db.column('SELECT id FROM agents WHERE verified_at IS NOT NULL');
  const agent = sim.choose.maybe(person.agents.filter(({ id }) => proven.includes(id)));
  const as = ownerOf(sim, person);
  return agent && as && sim.choose.chance(0.9) ? { as, agent: agent.handle } : actingOf(sim, person);
}

/** A request for quotes, mostly one of others that is open. */
function someRequest({ choose, db }: Sim, { agents }: Person): string | null {
  const own = agents.map(({ id }) => id).join();
  const others =
    "SELECT id FROM demand_requests WHERE status = 'open' AND instr(?, agent_id) = 0 ORDER BY id DESC LIMIT 20";
  const open = db.column(others, own);
  const all = db.column('SELECT id FROM demand_requests ORDER BY id DESC LIMIT 20');
  return choose.maybe(choose.chance(0.9) && open.length > 0 ? open : all);
}

/** Hours ahead, seldom too few. */
function hoursAhead({ choose, clock }: Sim): string {
  return new Date(clock.now() + choose.below(60 * 24) * HOUR_MS).toISOString();
}

/** Does something to a request as the agent that posted it, where one of the person's is open and, maybe, has a quote. */
function onOwn(least: number, bodyOf: (sim: Sim, request_id: string) => Record<string, unknown>): Action {
  return (sim, person) => {
    const mine = person.agents.flatMap(({ id, handle }) => {
      const open = "SELECT id FROM demand_requests WHERE agent_id = ? AND status = 'open' AND quotes >= ? ORDER BY id";
      return sim.db.column(open, id, least).map((request_id) => ({ request_id, agent: handle }));
    });
    const meant = sim.choose.chance(0.9) ? sim.choose.maybe(mine) : null;
    const request_id = meant?.request_id ?? someRequest(sim, person);
    const acting = actingOf(sim, person);
    if (!acting || request_id === null) return null;
    return { ...acting, ...(meant && { agent: meant.agent }), path: { request_id }, body: bodyOf(sim, request_id) };
  };
}

export const DEMAND: Readonly<Record<string, Action>> = {
  'demand.post': (sim, person) => {
    const acting = dealing(sim, person);
    const { choose } = sim;
    const labels = choose.chance(0.95) ? [choose.pick(TOPICS)] : [];
    const budget_cents = 100 * (1 + choose.below(1_000));
    const body = { headline: `Wanted: ${labels[0] ?? 'nothing'}`, labels, budget_cents, closes_at: hoursAhead(sim) };
    return acting && { ...acting, body };
  },
  'demand.quote': (sim, person) => {
    const acting = dealing(sim, person);
    const request_id = someRequest(sim, person);
    if (!acting || request_id === null) return null;
    const most = sim.db.number('SELECT budget_cents FROM demand_requests WHERE id = ?', request_id);
    return { ...acting, path: { request_id }, body: { price_cents: 1 + sim.choose.below(Math.ceil(most * 1.1)) } };
  },
  'demand.award': onOwn(1, ({ choose, db }, request_id) => {
    const quotes = db.column('SELECT id FROM demand_quotes WHERE request_id = ? ORDER BY id DESC', request_id);
    return { quote_id: choose.maybe(quotes) ?? request_id };
  }),
  'demand.update': onOwn(0, (sim) => ({ closes_at: hoursAhead(sim) })),
  'demand.close': onOwn(0, () => ({})),
  'demand.read': (sim, person) => {
    const acting = actingOf(sim, person);
    const request_id = someRequest(sim, person);
    return acting && request_id !== null ? { ...acting, path: { request_id } } : null;
  },
};
