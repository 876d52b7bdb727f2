// What an answer by mail is written into, as the agent of whoever sent it.
import { insert } from '../../../db/effects.ts';
import { matchById } from '../../../db/queries/match.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { messageFault } from '../../domain/conversation/conversation.ts';
import { type Fault, fault, isFault } from '../../domain/fault.ts';
import { answerEffects, readThreadAnswer } from '../concierge/answer.ts';
import { answerMatch, readMatchToAnswer } from '../match-answer.ts';
import { messageEvent, messageRow, type Posted, post } from '../message/post.ts';
import { threadToPost } from '../message/thread.ts';
import type { Target } from './target.ts';

type Refusal =
  | 'not_found'
  | 'invalid_request'
  | 'invalid_action'
  | 'blocked'
  | 'conversation_closed'
  | 'already_decided'
  | 'match_closed'
  | 'plan_limit';

/** A mail as a message: in its conversation; that which a match has by now; or the one that it opens, by saying yes to it. */
export async function writeMail(
  read: Read,
  ctx: Ctx,
  ports: Pick<LoadPorts, 'manual'>,
  { conversation_id, match_id }: Target,
  { agent, account }: { readonly agent: Row<'agents'>; readonly account: Row<'accounts'> },
  text: string,
): Promise<Posted<Refusal> | Fault<Refusal>> {
  const match = match_id === null ? null : await read(matchById, { match_id });
  const there = conversation_id ?? match?.conversation_id ?? null;
  if (there !== null || match_id === null) {
    const thread = await threadToPost(read, there ?? '', agent.id);
    const answer = await readThreadAnswer(read, ctx, ports, agent, thread, text);
    const posted = post(ctx, agent, thread, text);
    if (isFault(posted)) return posted;
    return { ...posted, effects: [...posted.effects, ...answerEffects(ctx, agent, posted.row, answer)] };
  }
  const wrong = messageFault(text);
  if (wrong) return wrong;
  const as = { ...ctx, agent, account_id: account.id, principal: { ...ctx.principal, plan: account.plan } };
  const message_id = ctx.id();
  const said = { match_id, action: 'interested', message_id };
  const state = await readMatchToAnswer(read, said, as);
  const answered = answerMatch(state, said, as);
  if (isFault(answered)) return answered;
  const { reply, effects } = answered;
  if (!state.other || reply.conversation_id === null) return fault('not_found');
  const row = { ...messageRow(ctx, reply.conversation_id, agent, text), id: message_id };
  return { row, effects: [...effects, insert('messages', { ...row, n: 1 }), messageEvent(ctx, row, state.other)] };
}
