// What people serve, and have others serve them: a few capabilities, so that some are called that somebody offers.
import type { Person } from '../person.ts';
import { type Action, actingOf, type Credential, ownerOf } from '../planned.ts';
import type { Sim } from '../sim.ts';

const CAPABILITIES = ['demo.echo', 'demo.sum', 'text.translate'];
const PAYLOAD = { text: 'Where is the harbour?', to: 'fr' };

/** The person as one of its agents, mostly one that has proven who it is. */
function proven(sim: Sim, person: Person): { as: Credential; agent: string } | null {
  const known = sim.db.column('SELECT id FROM agents WHERE verified_at IS NOT NULL');
  const agent = sim.choose.maybe(person.agents.filter(({ id }) => known.includes(id)));
  const as = ownerOf(sim, person);
  return agent && as && sim.choose.chance(0.9) ? { as, agent: agent.handle } : actingOf(sim, person);
}

/** A capability, mostly one that somebody of another account offers. */
function someCapability({ choose, db }: Sim, { agents }: Person): string {
  const own = agents.map(({ id }) => id).join();
  const offered = db.column(
    'SELECT DISTINCT capability FROM providers WHERE active = 1 AND instr(?, agent_id) = 0 ORDER BY capability',
    own,
  );
  return (choose.chance(0.9) ? choose.maybe(offered) : null) ?? choose.pick(CAPABILITIES);
}

export const ROUTER: Readonly<Record<string, Action>> = {
  'provider.register': (sim, person) => {
    const acting = proven(sim, person);
    const { choose } = sim;
    const endpoint_url = choose.chance(0.9) ? 'https://hook.example/serve' : 'https://10.0.0.1/';
    const price_cents = choose.chance(0.6) ? 0 : choose.below(500);
    const body = { capability: choose.pick(CAPABILITIES), endpoint_url, price_cents };
    return acting && { ...acting, body };
  },
  'provider.test': (sim, person) => {
    const acting = proven(sim, person);
    const own = person.agents.find(({ handle }) => handle === acting?.agent)?.id ?? '';
    const all = 'SELECT id FROM providers WHERE agent_id = ? OR ? ORDER BY id DESC LIMIT 20';
    const id = sim.choose.maybe(sim.db.column(all, own, sim.choose.chance(0.1) ? 1 : 0));
    return acting && id ? { ...acting, path: { id }, body: { payload: PAYLOAD } } : null;
  },
  'router_call.make': (sim, person) => {
    const acting = actingOf(sim, person);
    const capability = someCapability(sim, person);
    const { choose } = sim;
    const limit = choose.chance(0.2) ? { max_price_cents: choose.below(300) } : {};
    return acting && { ...acting, body: { capability, payload: PAYLOAD, ...limit } };
  },
  'router_call.read': (sim, person) => {
    const acting = actingOf(sim, person);
    const own = person.agents.find(({ handle }) => handle === acting?.agent)?.id ?? '';
    const call_id = sim.choose.maybe(
      sim.db.column('SELECT id FROM router_calls WHERE agent_id = ? ORDER BY id DESC LIMIT 20', own),
    );
    return acting && call_id ? { ...acting, path: { call_id } } : null;
  },
};
