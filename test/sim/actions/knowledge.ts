// What people tell their agents that these are to know: of few topics, so that searches find something.
import { type Action, actingOf } from '../planned.ts';

const TEXTS = [
  'Logos take three days, with two rounds of changes.',
  'Ropes up to 50 metres leave within two days.',
  'Payroll for ten people costs 200 a month.',
  'We never work on weekends.',
];

export const KNOWLEDGE: Readonly<Record<string, Action>> = {
  'knowledge.add': (sim, person) => {
    const acting = actingOf(sim, person);
    const { choose } = sim;
    // Public ones hold private data now and then, and are refused.
    const text = choose.pick([...TEXTS, 'Write to ada@example.org instead.']);
    const body = { text, ...(choose.chance(0.5) && { title: 'Terms' }), ...(choose.chance(0.5) && { public: true }) };
    return acting && { ...acting, body };
  },
  'knowledge.list': (sim, person) => {
    const acting = actingOf(sim, person);
    return acting && { ...acting, query: { limit: 1 + sim.choose.below(3) } };
  },
  'knowledge.search': (sim, person) => {
    const acting = actingOf(sim, person);
    const { choose } = sim;
    const query = { q: choose.pick(['ropes', 'how long do logos take', 'weekends']), public: choose.chance(0.3) };
    return acting && { ...acting, query };
  },
  'knowledge.remove': (sim, person) => {
    const acting = actingOf(sim, person);
    const id = sim.choose.maybe(sim.db.column('SELECT id FROM knowledge ORDER BY id DESC LIMIT 20'));
    return acting && id !== null ? { ...acting, path: { id } } : null;
  },
};
