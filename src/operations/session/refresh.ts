// Exchanges the refresh cookie for a new access token and a new cookie. A cookie that was exchanged some time ago means
// that two parties hold the session, and one of them stole it: the session ends for both (RFC 9700, 4.14.2). One that was
// exchanged just now is from another tab, or its answer was lost: it gets the current cookie, which is the same new one
// again unless that was exchanged too (rules.md 3).
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { accountById, sessionById } from '../../../db/queries/identity.ts';
import { flow } from '../../contract/operation.ts';
import { BEFORE_A_KEY } from '../../contract/tool.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { namedObject } from '../../schemas/named.ts';
import { sourcesOf } from '../../steps/inbox.ts';
import { writeCursor } from '../../steps/notification.ts';
import { refreshStanding, type SignedIn, sessionAnswer } from '../../steps/session/find.ts';
import {
  currentOf,
  markReplaced,
  SESSION_LIFE_MS,
  SessionAnswer,
  sentRefresh,
  successorOf,
} from '../../steps/session/open.ts';

type Refreshed = {
  readonly account: SignedIn;
  readonly token: string;
};

/** A client that reads with the new token, and then opens the stream after this id, misses no event in between. */
const RefreshAnswer = namedObject('RefreshedSession', 'the new token of a signed-in person', {
  ...SessionAnswer.properties,
  last_event_id: Type.String({
    description: 'the current position of its notifications, for notification.stream',
  }),
});

const REFUSED = fault('unauthorized', 'The session has ended; sign in again.');

export const sessionRefresh = flow({
  name: 'session.refresh',
  summary: 'Refresh a session',
  description:
    'Takes the refresh cookie and replaces it. For 30 seconds a replaced cookie gets the current one, ' +
    'so that two tabs can refresh at once; after that it ends the session.',
  input: Type.Object({}),
  output: RefreshAnswer,
  effect: 'changes',
  access: 'public',
  secret: true,
  faults: ['unauthorized', 'not_found'],
  rest: [{ method: 'POST', path: '/api/auth/session/refresh' }],
  no_tool: BEFORE_A_KEY,
  run: async (_input, ctx, ports) => {
    const sent = sentRefresh(ctx);
    // With an external identity provider, this continues sessions and opens none.
    if (!sent) return ctx.settings.outside_issuer === null ? REFUSED : fault('not_found');
    const { token, refresh_hash } = successorOf(sent, ctx);
    const outcome = await ctx.turn<Refreshed, 'unauthorized'>({
      attempt: async (read) => {
        const session = await read(sessionById, { id: sent.session_id });
        if (!session || session.ended_at !== null || session.expires_at <= ctx.now_ms) return REFUSED;
        const standing = await refreshStanding(read, session, sent, ctx);
        if (standing === 'spent') {
          return { ...REFUSED, effects: [patch('sessions', session, { ended_at: ctx.now_ms })] };
        }
        const account = await read.peek(accountById, { id: session.account_id });
        if (!account?.email) return REFUSED;
        const { id, plan, email, language } = account;
        const reply = { account: { id, email, plan, language }, token };
        if (standing === 'replaced') {
          const current = currentOf(sent, session, ctx);
          return current === null ? REFUSED : { reply: { ...reply, token: current } };
        }
        const expires_at = ctx.now_ms + SESSION_LIFE_MS;
        return { reply, effects: [patch('sessions', session, { refresh_hash, expires_at }), markReplaced(sent, ctx)] };
      },
    });
    if (isFault(outcome)) return outcome;
    const { account, token: current } = outcome.reply;
    const heads = (await sourcesOf(ctx.read, account.id, null)).map(({ agent_id, head }) => [agent_id, head] as const);
    const answer = await sessionAnswer(account, sent.session_id, current, ctx, ports);
    return { ...answer, reply: { ...answer.reply, last_event_id: writeCursor(new Map(heads)) } };
  },
});
