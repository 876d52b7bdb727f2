// What people do with their webhooks. Each is given an address of its own, so that what reaches it is known apart.
import { EVENT_KINDS } from '../../../src/domain/inbox/event.ts';
import type { Person } from '../person.ts';
import { type Action, actingOf, type Planned } from '../planned.ts';
import type { Sim } from '../sim.ts';

const HOOKS = 'SELECT w.id FROM webhooks w JOIN handles h ON h.agent_id = w.agent_id WHERE h.id = ? ORDER BY w.id DESC';
const EVENTS = 'SELECT e.id FROM events e JOIN handles h ON h.agent_id = e.agent_id WHERE h.id = ? ORDER BY e.seq DESC';

const address = (sim: Sim): string =>
  sim.choose.chance(0.9) ? `https://hook.example/${sim.choose.bits()}` : 'https://10.0.0.1/inside';

const events = (sim: Sim): string[] =>
  sim.choose.chance(0.6) ? ['*'] : [sim.choose.pick(EVENT_KINDS), sim.choose.pick([...EVENT_KINDS, 'nothing.such'])];

/** A call about one of the agent's webhooks. */
const hook =
  (plan: (sim: Sim, handle: string) => Partial<Planned> = () => ({})): Action =>
  (sim: Sim, person: Person) => {
    const acting = actingOf(sim, person);
    const id = acting && sim.choose.maybe(sim.db.column(HOOKS, acting.agent));
    return acting && id ? { ...acting, path: { id }, ...plan(sim, acting.agent) } : null;
  };

export const OUTSIDE: Readonly<Record<string, Action>> = {
  'webhook.create': (sim, person) => {
    const acting = actingOf(sim, person);
    const retry = sim.choose.chance(0.5);
    return acting && { ...acting, body: { url: address(sim), events: events(sim), retry } };
  },
  'webhook.list': (sim, person) => actingOf(sim, person),
  'webhook.read': hook(),
  'webhook.update': hook((sim) => ({
    body: {
      ...(sim.choose.chance(0.4) && { url: address(sim) }),
      ...(sim.choose.chance(0.4) && { events: events(sim) }),
      ...(sim.choose.chance(0.4) && { active: sim.choose.chance(0.7) }),
    },
  })),
  'webhook.delete': (sim, person) => (sim.choose.chance(0.3) ? hook()(sim, person) : null),
  'webhook.enable': hook(),
  'webhook.rotate': hook(),
  'webhook.test': hook(),
  'webhook.redeliver': hook((sim, handle) => ({
    body: { event_id: sim.choose.maybe(sim.db.column(EVENTS, handle)) ?? 'none' },
  })),
  'webhook.logs': hook((sim) => ({ query: { limit: 1 + sim.choose.below(20) } })),
};
