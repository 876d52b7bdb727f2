// Completes a sign-in at the external identity provider and opens a session. People are identified by the provider's subject id. A
// verified address links the account that has it, once: from then on the account belongs to that subject, and another person who gets
// the address later has no access to it.
import { type Static, Type } from 'typebox';
import { type Effect, insert, remove } from '../../../db/effects.ts';
import { accountByEmail, accountById, outsideById, outsideOfAccount } from '../../../db/queries/identity.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { FlowCtx } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { suspensionOf } from '../../domain/identity/suspension.ts';
import { parseEmail } from '../../domain/mail/email.ts';
import type { OidcClient, OidcIdentified, OidcPerson } from '../../outbound/account-host/oidc-client.ts';
import { sameSecret } from '../../outbound/hash.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { readInvitation } from '../../steps/account/invited.ts';
import { joinAs } from '../../steps/account/join.ts';
import { secretsOfState, signInAddress, TRADE_MS } from '../../steps/proof/asking.ts';
import { readAskedProof } from '../../steps/session/find.ts';
import { beginSession, refreshGrant, refreshToken } from '../../steps/session/open.ts';
import { outsideId } from '../../steps/session/outside.ts';

const NO_ADDRESS = 'The identity provider has not verified your email address; ask its operator.';
const OTHERS = 'That address belongs to another account at the identity provider; ask the operator of this service.';

const Brought = Type.Object({
  browser: Type.String({ minLength: 1, maxLength: 200 }),
  state: Type.String({ maxLength: 200 }),
  code: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
  iss: Type.Optional(Type.String({ maxLength: 512 })),
});

type Input = Static<typeof Brought>;
type Refusal = 'access_denied' | 'account_suspended' | 'credential_in_use' | 'signup_closed' | 'conflict';

/** Consumes the sign-in request, which is valid in its own browser only. Answers where to continue. */
async function useUp({ state, browser }: Input, ctx: FlowCtx) {
  return ctx.turn<string, 'gone'>({
    attempt: async (read) => {
      const row = await readAskedProof(read, 'sign_in', state, ctx.now_ms);
      if (isFault(row)) return row;
      if (!sameSecret(row.data['browser'] ?? '', browser)) return fault('gone');
      return { reply: row.data['next'] ?? '/', effects: [remove('codes', row)] };
    },
  });
}

async function identify(provider: OidcClient, { state, code = '', iss }: Input, ctx: FlowCtx, ports: FlowPorts) {
  const back = { redirect_uri: signInAddress(ctx.settings), code, iss: iss ?? null, ...secretsOfState(state, ctx) };
  const work = (gone: AbortSignal): Promise<OidcIdentified> => provider.identify(back, gone);
  const answer = await ports.tasks.call({ hosts: provider.hosts, deadline_ms: TRADE_MS, looks: true, work });
  return answer ?? { is: 'silent' as const };
}

interface Arrived {
  readonly account: Pick<Row<'accounts'>, 'id' | 'seen_language'>;
  readonly effects: readonly Effect<Refusal>[];
}

/** The account of a person: the linked one, the one with their address, or a new one. */
async function accountOf(
  read: Read,
  { subject, email }: OidcPerson,
  issuer: string,
  ctx: FlowCtx,
): Promise<Arrived | Fault<Refusal>> {
  const id = outsideId(issuer, subject);
  const known = await read(outsideById, { id });
  if (known) {
    const account = await read(accountById, { id: known.account_id });
    return account && account.deleted_at === null
      ? (suspensionOf(account) ?? { account, effects: [] })
      : fault('access_denied', 'That account was deleted.');
  }
  const address = email === null ? null : parseEmail(email);
  if (address === null || isFault(address)) return fault('access_denied', NO_ADDRESS);
  const account = await read(accountByEmail, { email: address });
  if (account && (await read(outsideOfAccount, { account_id: account.id }))) return fault('credential_in_use', OTHERS);
  const invitation = await readInvitation(read, address, ctx);
  const joined = joinAs(address, { known: account, invitation }, ctx);
  if (isFault(joined)) return joined;
  const account_id = joined.account.id;
  const effects: Effect<Refusal>[] = [
    ...joined.effects,
    insert('outside_identities', { id, account_id, created_at: ctx.now_ms }, fault('conflict')),
  ];
  return { account: joined.account, effects };
}

export const sessionArrive = flow({
  name: 'session.arrive',
  needed_by: 'a person who returns from an external identity provider',
  summary: 'Return from the identity provider',
  input: Brought,
  output: namedObject('Arrival', 'the page to continue to after signing in', { next: Type.String() }),
  example: { browser: SAMPLE.browser, state: SAMPLE.proof_state, code: SAMPLE.proof_code },
  effect: 'adds',
  open_world: true,
  access: 'public',
  secret: true,
  faults: [
    'not_found',
    'gone',
    'access_denied',
    'account_suspended',
    'proof_refused',
    'credential_in_use',
    'signup_closed',
    'conflict',
    'provider_unavailable',
  ],
  run: async (input, ctx, ports) => {
    const { identity } = ports;
    if (!identity) return fault('not_found');
    const asked = await useUp(input, ctx);
    if (isFault(asked)) return asked;
    if (input.code === undefined) return fault('proof_refused');
    const found = await identify(identity, input, ctx, ports);
    if (found.is === 'silent') return fault('provider_unavailable');
    if (found.is === 'refused') return fault('proof_refused');
    const session_id = ctx.id();
    const { token, refresh_hash } = refreshToken(session_id, ctx);
    const now = { ...ctx, now_ms: ports.clock.now() };
    const outcome = await ctx.turn<null, Refusal>({
      attempt: async (read) => {
        const arrived = await accountOf(read, found.person, identity.issuer, now);
        if (isFault(arrived)) return arrived;
        const { account, effects } = arrived;
        return { reply: null, effects: [...effects, ...beginSession(session_id, account, refresh_hash, now)] };
      },
    });
    if (isFault(outcome)) return outcome;
    return { reply: { next: asked.reply }, notes: { refresh: refreshGrant(session_id, token, ctx) } };
  },
});
