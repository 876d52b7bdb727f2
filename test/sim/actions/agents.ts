// What people do with their agents and the names of these, and what they look up about others'.
import type { TestAnswer } from '../../support/testbed.ts';
import type { Person } from '../person.ts';
import { type Action, actingOf, NO_CREDENTIAL, ownerOf } from '../planned.ts';
import type { Sim } from '../sim.ts';

/** Agents that a person asks for at most. */
const AGENTS_MAX = 3;
const VISIBILITIES = ['listed', 'listed', 'stealth', 'hidden', 'hidden'];
const GEOS = ['Remote', 'Berlin, Germany', '', { countries: ['DE', 'FR'], remote: true }, 'Portland, Oregon'];

/** A handle out of few, so that people want the same ones. */
function wanted(sim: Sim): string {
  return `${sim.choose.pick(['ada', 'rope', 'logo', 'mesh_'])}${sim.choose.below(30)}`;
}

/** Any handle that there is or was, mostly another's. */
export function someHandle(sim: Sim): string {
  return sim.choose.maybe(sim.db.column('SELECT id FROM handles ORDER BY id')) ?? wanted(sim);
}

const profile = (sim: Sim): Record<string, unknown> => {
  const { choose } = sim;
  return {
    headline: `I know about ${choose.pick(['ropes', 'logos', 'payrolls', 'links'])}`,
    ...(choose.chance(0.3) && { geo: choose.pick(GEOS) }),
    ...(choose.chance(0.3) && { offers: ['Good advice', { headline: 'Better advice' }] }),
    ...(choose.chance(0.5) && { visibility: choose.pick(VISIBILITIES) }),
    ...(choose.chance(0.2) && { social_links: { website: 'https://ada.example' } }),
  };
};

function learnName(person: Person, handle: string) {
  return ({ body }: TestAnswer): void => {
    const agent = person.agents.find((each) => each.handle === handle);
    if (agent) agent.handle = body.handle;
  };
}

/** The path names the acting agent. */
const onOwn =
  (body?: (sim: Sim) => Record<string, unknown>): Action =>
  (sim, person) => {
    const acting = actingOf(sim, person);
    return acting && { as: acting.as, path: { handle: acting.agent }, ...(body && { body: body(sim) }) };
  };

/** The path names another agent. */
const onOther =
  (body?: (sim: Sim) => Record<string, unknown>): Action =>
  (sim, person) => {
    const acting = actingOf(sim, person);
    return acting && { ...acting, path: { handle: someHandle(sim) }, ...(body && { body: body(sim) }) };
  };

const lookUp: Action = (sim) => ({ as: NO_CREDENTIAL, path: { handle: someHandle(sim) } });

export const AGENTS: Readonly<Record<string, Action>> = {
  'agent.create': (sim, person) => {
    const as = ownerOf(sim, person);
    if (!as || person.agents.length >= AGENTS_MAX) return null;
    const body = { ...profile(sim), handle: wanted(sim), display_name: `Agent of ${person.name}` };
    // One that nobody sees has little to do.
    if (person.agents.length === 0) Object.assign(body, { visibility: 'listed' });
    const learn = ({ body: made }: TestAnswer): void => {
      person.agents.push({ id: made.id, handle: made.handle });
    };
    return { as, body, learn };
  },
  'agent.update': (sim, person) => {
    const acting = actingOf(sim, person);
    if (!acting) return null;
    const { as, agent: handle } = acting;
    const [seen] = sim.db.column('SELECT visibility FROM agents WHERE handle = ?', handle);
    // Updates are few among all that is called: whoever hides mostly comes out with the next one.
    const comesOut = seen === 'hidden' && sim.choose.chance(0.8);
    const a2a_url = sim.choose.pick(['https://hook.example/a2a', 'https://10.0.0.1/', null]);
    const body = {
      ...profile(sim),
      ...(comesOut && { visibility: 'listed' }),
      ...(sim.choose.chance(0.1) && { wake: sim.choose.pick([null, { mute: ['conversation.updated'] }]) }),
      ...(sim.choose.chance(0.3) && { autopilot: sim.choose.chance(0.7) }),
      ...(sim.choose.chance(0.4) && { a2a_url }),
    };
    return { as, path: { handle }, body };
  },
  'agent.deactivate': (sim, person) => (sim.choose.chance(0.4) ? onOwn()(sim, person) : null),
  'agent.restore': onOwn(),
  'agent.bounds': (sim, person) => {
    const acting = actingOf(sim, person);
    const { choose } = sim;
    const cents = (): number | null => (choose.chance(0.2) ? null : choose.below(100_000));
    return (
      acting && {
        ...acting,
        body: { max_pay_cents: cents(), min_charge_cents: cents(), auto_approve_below_cents: cents() },
      }
    );
  },
  'agent.rename': (sim, person) => {
    const acting = actingOf(sim, person);
    return acting && { ...acting, body: { handle: wanted(sim) }, learn: learnName(person, acting.agent) };
  },
  'agent.block': onOther(),
  'agent.unblock': (sim, person) => {
    const acting = actingOf(sim, person);
    const id = person.agents.find(({ handle }) => handle === acting?.agent)?.id;
    const BLOCKED =
      'SELECT a.handle FROM blocks b JOIN agents a ON a.id = b.blocked_id WHERE b.agent_id = ? ORDER BY b.id';
    const handle = acting && id ? sim.choose.maybe(sim.db.column(BLOCKED, id)) : null;
    return acting && handle ? { ...acting, path: { handle } } : null;
  },
  'agent.list_blocks': (sim, person) => {
    const acting = actingOf(sim, person);
    return acting && { ...acting, query: { limit: 1 + sim.choose.below(3) } };
  },
  'agent.report': onOther(({ choose }) => ({ reason: choose.pick(['spam', 'rude']), text: 'as I said' })),
  'agent.list': (sim, person) => {
    const as = ownerOf(sim, person);
    return as && { as, query: { limit: 1 + sim.choose.below(3) } };
  },
  'agent.read': (sim, person) => {
    const as = ownerOf(sim, person);
    return as && { as, path: { handle: someHandle(sim) } };
  },
  'agent.card': (sim) => ({
    as: NO_CREDENTIAL,
    query: { ...(sim.choose.chance(0.9) && { handle: someHandle(sim) }) },
  }),
  'agent.feed': lookUp,
  'agent.track_record': lookUp,
  'people.browse': (sim) => ({ as: NO_CREDENTIAL, query: { limit: 1 + sim.choose.below(10) } }),
  'agent.public': lookUp,
  'agent.registry': (sim) => ({
    as: NO_CREDENTIAL,
    query: {
      limit: 1 + sim.choose.below(10),
      ...(sim.choose.chance(0.5) && { labels: 'logo-design,Ropes' }),
    },
  }),
  'handle.check': (sim) => ({
    as: NO_CREDENTIAL,
    path: { handle: sim.choose.chance(0.5) ? someHandle(sim) : wanted(sim) },
  }),
  'handle.reserve': (sim, person) => ({
    as: NO_CREDENTIAL,
    body: { handle: wanted(sim), email: sim.choose.chance(0.7) ? person.email : sim.choose.pick(sim.people).email },
  }),
};
