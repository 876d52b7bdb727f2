// Programs that people let in, and what becomes of them: a code that is traded, at times twice; a refresh token that is used, at times an
// old one; a program that gives up what it has, or is thrown out.
import type { TestAnswer } from '../../support/testbed.ts';
import type { Person } from '../person.ts';
import { type Action, NO_CREDENTIAL, sessionOf } from '../planned.ts';
import type { Sim } from '../sim.ts';

/** Of RFC 7636, B. */
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const REDIRECT = 'http://127.0.0.1/callback';
const FORM = 'application/x-www-form-urlencoded';

const OWN_GRANTS = `SELECT g.id FROM oauth_grants g JOIN accounts a ON a.id = g.account_id
  WHERE a.email = ? AND g.redeemed_at IS NOT NULL AND g.ended_at IS NULL ORDER BY g.id`;

const form = (fields: Readonly<Record<string, string>>) => ({
  type: FORM,
  text: new URLSearchParams(fields).toString(),
});

function queryOf(sim: Sim): { client_id: string; query: string } | null {
  const client_id = sim.choose.maybe(sim.db.column('SELECT id FROM oauth_clients ORDER BY id'));
  if (client_id === null || client_id === undefined) return null;
  const port = sim.choose.pick(['', ':49152', '@evil.example']);
  const asked = {
    client_id: String(client_id),
    redirect_uri: REDIRECT.replace('/callback', `${port}/callback`),
    response_type: 'code',
    code_challenge: CHALLENGE,
    code_challenge_method: sim.choose.chance(0.9) ? 'S256' : 'plain',
    scope: sim.choose.pick(['', 'agents:read', 'agents:read messages:write', 'payments:write']),
  };
  return { client_id: String(client_id), query: new URLSearchParams(asked).toString() };
}

/** Trades what a program of the person holds, mostly what it got last; null where it holds nothing. */
export function tradeHeld(sim: Sim, person: Person): ReturnType<Action> {
  const held = sim.choose.chance(0.8) ? person.programs.at(-1) : sim.choose.maybe(person.programs);
  if (!held) return null;
  const { client_id, grant } = held;
  const learn = ({ body }: TestAnswer): void => {
    if (body.refresh_token === undefined) return;
    const next = { grant_type: 'refresh_token', refresh_token: body.refresh_token };
    person.programs.push({ client_id, grant: next });
  };
  return { as: NO_CREDENTIAL, raw: form({ ...grant, client_id }), learn };
}

export const PROGRAMS: Readonly<Record<string, Action>> = {
  'oauth.register': (sim) => {
    const redirect_uris = [sim.choose.chance(0.9) ? REDIRECT : 'http://elsewhere.example/callback'];
    return { as: NO_CREDENTIAL, body: { client_name: `program ${sim.choose.below(9)}`, redirect_uris } };
  },
  'oauth.authorize': (sim, person) => {
    const as = sessionOf(sim, person);
    const asking = as && queryOf(sim);
    return asking && { as, body: { query: asking.query } };
  },
  'oauth.decide': (sim, person) => {
    const as = sessionOf(sim, person);
    const asking = as && queryOf(sim);
    if (!asking) return null;
    const { client_id, query } = asking;
    const agent = sim.choose.maybe(person.agents);
    const learn = ({ body }: TestAnswer): void => {
      const code = body.redirect_to === undefined ? null : new URL(body.redirect_to).searchParams.get('code');
      if (code === null) return;
      person.programs.push({ client_id, grant: { grant_type: 'authorization_code', code, code_verifier: VERIFIER } });
    };
    const allow = sim.choose.chance(0.8);
    const body = { query, allow, ...(agent && sim.choose.chance(0.7) && { agent_handle: agent.handle }) };
    return { as, body, learn };
  },
  'oauth.revoke': (sim, person) => {
    const held = sim.choose.maybe(person.programs);
    const token = held?.grant['refresh_token'] ?? 'nothing';
    return { as: NO_CREDENTIAL, raw: form({ token }) };
  },
  'program.revoke': (sim, person) => {
    const as = sessionOf(sim, person);
    const own = sim.db.column(OWN_GRANTS, person.email);
    const id = sim.choose.maybe(
      sim.choose.chance(0.8) ? own : sim.db.column('SELECT id FROM oauth_grants ORDER BY id'),
    );
    return id === null || id === undefined || !as ? null : { as, path: { id: String(id) } };
  },
};
