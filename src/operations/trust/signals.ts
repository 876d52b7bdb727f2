// The trust score with all its parts, so that every score can be checked by hand.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { CREDENTIAL_POINTS } from '../../domain/agent/trust.ts';
import { fault } from '../../domain/fault.ts';
import { CredentialStatus } from '../../schemas/agent.ts';
import { namedObject } from '../../schemas/named.ts';
import { iso, isoOrNull, NullableTime, Time } from '../../schemas/wire.ts';
import { loadOwn } from '../../steps/agent/load.ts';
import { trustOf } from '../../steps/agent/trust.ts';

const WORTH = Object.entries(CREDENTIAL_POINTS)
  .map(([kind, points]) => `${kind} ${points}`)
  .join(', ');

const FORMULA =
  'The score is the sum of its signals, each in whole points. credentials (40): each kind once ' +
  `(${WORTH}; 40 at most), less decay: a proof that stops verifying decays linearly to zero ` +
  'over 30 days. account_age (10): linear over the first year. profile (10): the filled share of headline, ' +
  'description, offers, seeks, geo, industry, availability and social_links. responsiveness (10): fast 1, hours 0.6, ' +
  'days 0.2, silent or unknown 0. deal_completed (15): n / (n + 5) of the accounts with which a deal was completed. disputes (10): 1 ' +
  'without any, 0 from one deal in four, 0 without deals. reviews (5): from one star (0) to five (1), by ' +
  'the mean per account. An account counts once, however often you deal with it, and not at all if it ' +
  'shares a proof or a payout account with yours. An agent that is silent for 14 days has its badges marked failing, ' +
  'without effect on credential points.';

export const trustSignals = query({
  name: 'trust.signals',
  noun: 'Proofs that raise trust, and the trust score.',
  summary: 'Read the trust score and its signals',
  description: FORMULA,
  input: Type.Object({}),
  output: namedObject('TrustSignals', 'the signals whose sum is the trust score', {
    score: Type.Integer({ minimum: 0, maximum: 100 }),
    breakdown: Type.Array(
      namedObject('TrustSignal', 'one signal of trust', {
        signal: Type.String(),
        points: Type.Integer(),
        max: Type.Integer(),
      }),
    ),
    credentials: Type.Array(
      namedObject('Credential', 'a proof, and how long it counts', {
        kind: Type.String(),
        status: CredentialStatus,
        verified_at: Time,
        checked_at: Time,
        decays_to_zero_at: NullableTime,
      }),
    ),
  }),
  access: 'session',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/trust/signals' }],
  tools: [
    {
      name: 'mesh_get_trust_score',
      title: 'Read a trust score',
      set: 'agents',
      when: { argument: 'handle', given: false },
      description: 'Your own score, the maximum points of each signal, and when each proof was last verified.',
      access: 'key',
      scope: 'agents:read',
    },
  ],
  run: async (read, _input, ctx, ports) => {
    const { agent, facts } = await loadOwn(read, ctx, ports);
    if (!agent) return fault('not_found');
    const { score, breakdown, credentials } = trustOf(agent, facts, ctx.now_ms);
    return {
      score,
      breakdown: [...breakdown],
      credentials: credentials.map(({ kind, status, ...times }) => ({
        kind,
        status,
        verified_at: iso(times.verified_at_ms),
        checked_at: iso(times.checked_at_ms),
        decays_to_zero_at: isoOrNull(times.decays_to_zero_at_ms),
      })),
    };
  },
});
