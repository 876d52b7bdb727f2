// How people hear of what happened to their agents.
import { EVENT_KINDS } from '../../../src/domain/inbox/event.ts';
import { LETTER_KINDS, unsubscribeToken } from '../../../src/steps/mail/unsubscribe.ts';
import type { Person } from '../person.ts';
import { type Action, NO_CREDENTIAL, ownerOf, type Planned } from '../planned.ts';
import type { Sim } from '../sim.ts';

const EVENTS = `SELECT e.id FROM events e JOIN agents a ON a.id = e.agent_id JOIN accounts p ON p.id = a.account_id
  WHERE p.email = ? ORDER BY e.id DESC LIMIT 12`;
const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati', 'Nowhere/At_All'];
/** A place that names no inbox: everything comes after it. */
const BEFORE_ALL = '000000000000.0';

const own =
  (plan: (sim: Sim) => Omit<Planned, 'as'> = () => ({})): Action =>
  (sim, person) => {
    const as = ownerOf(sim, person);
    return as && { as, ...plan(sim) };
  };

function unsubscribing(sim: Sim, { email }: Pick<Person, 'email'>): string {
  const [account_id = 'nobody'] = sim.db.column('SELECT id FROM accounts WHERE email = ?', email);
  const token = unsubscribeToken({ account_id, kind: sim.choose.pick(LETTER_KINDS) }, sim.t.service.world);
  return sim.choose.chance(0.9) ? token : token.replace(/.$/, 'x');
}

const clock = (sim: Sim): string => `${String(sim.choose.below(24)).padStart(2, '0')}:30`;

export const NOTIFICATIONS: Readonly<Record<string, Action>> = {
  // Whoever has the letter, and sometimes somebody who made its address up.
  'notification.letters': (sim, person) => ({ as: NO_CREDENTIAL, query: { token: unsubscribing(sim, person) } }),
  'notification.unsubscribe': (sim, person) => ({ as: NO_CREDENTIAL, body: { token: unsubscribing(sim, person) } }),
  'notification.list': own((sim) => ({ query: { limit: 1 + sim.choose.below(30) } })),
  'notification.prefer': own((sim) => ({
    body: {
      ...(sim.choose.chance(0.5) && { email: sim.choose.pick(['all', 'important', 'none']) }),
      ...(sim.choose.chance(0.6) && { digest: sim.choose.pick(['daily', 'daily', 'off']) }),
      ...(sim.choose.chance(0.3) && { push: sim.choose.pick(['all', 'important', 'none']) }),
      ...(sim.choose.chance(0.3) && { mute: [sim.choose.pick([...EVENT_KINDS, 'nothing.happened'])] }),
      ...(sim.choose.chance(0.4) && {
        quiet_hours: sim.choose.chance(0.2) ? null : { from: clock(sim), to: clock(sim), tz: sim.choose.pick(ZONES) },
      }),
    },
  })),
  'notification.preferences': own(),
  'notification.read': (sim, person) => {
    const id = sim.choose.maybe(sim.db.column(EVENTS, person.email));
    const as = ownerOf(sim, person);
    return as && id !== null ? { as, path: { id } } : null;
  },
  'notification.read_all': own(),
  'notification.stream': own(() => ({ headers: { 'Last-Event-ID': BEFORE_ALL } })),
  'notification.unread': own(),
};
