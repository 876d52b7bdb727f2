// What people do with their devices: passkeys, made and signed in by, at times twice; and browsers that are pushed to.
import { newAuthenticator } from '../../support/authenticator.ts';
import type { Person } from '../person.ts';
import { type Action, NO_CREDENTIAL, sessionOf } from '../planned.ts';
import type { Sim } from '../sim.ts';
import { learnSession } from './identity.ts';

const own = (table: string): string =>
  `SELECT d.id FROM ${table} d JOIN accounts a ON a.id = d.account_id WHERE a.email = ? ORDER BY d.id`;
const PASSKEYS = own('passkeys');
const BROWSERS = own('push_subscriptions');
/** Of RFC 8291, A. */
const KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

function deviceOf(sim: Sim, person: Person) {
  const { base_url } = sim.t.service.world.settings;
  person.authenticator ??= newAuthenticator(base_url, person.name);
  return person.authenticator;
}

/** Something of the person's own, named in the path. */
const named =
  (rows: string, body?: object): Action =>
  (sim, person) => {
    const as = sessionOf(sim, person);
    const id = sim.choose.maybe(sim.db.column(rows, person.email));
    return as && id ? { as, path: { id: String(id) }, ...(body && { body: { ...body } }) } : null;
  };

export const DEVICES: Readonly<Record<string, Action>> = {
  'passkey.options': (sim, person) => {
    const as = sessionOf(sim, person);
    if (!as?.token) return null;
    const { token } = as;
    return {
      as,
      body: {},
      learn: ({ body }) => {
        person.making = { options: body, token };
      },
    };
  },
  'passkey.register': (sim, person) => {
    const { making } = person;
    if (making === null) return null;
    if (sim.choose.chance(0.9)) person.making = null;
    const credential = deviceOf(sim, person).make(making.options);
    return { as: { token: making.token }, body: { name: 'Phone', credential } };
  },
  'passkey.rename': named(PASSKEYS, { name: 'Old phone' }),
  'passkey.remove': named(PASSKEYS),
  'session.passkey_options': (_sim, person) => ({
    as: NO_CREDENTIAL,
    body: {},
    learn: ({ body }) => {
      person.showing = body;
    },
  }),
  'session.passkey': (sim, person) => {
    const { showing } = person;
    if (showing === null) return null;
    if (sim.choose.chance(0.9)) person.showing = null;
    const credential = deviceOf(sim, person).show(showing);
    return { as: NO_CREDENTIAL, body: { credential }, learn: learnSession(person) };
  },
  'browser.subscribe': (sim, person) => {
    const as = sessionOf(sim, person);
    const endpoint = `https://push.example.net/${sim.choose.chance(0.9) ? person.name : 'shared'}`;
    return as && { as, body: { subscription: { endpoint, keys: KEYS }, name: 'Phone' } };
  },
  'browser.remove': named(BROWSERS),
};
