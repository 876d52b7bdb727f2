// An agent's public knowledge about the questions in the other side's last message. It is searched before the turn, because that reads
// all public entries and may wait for an outside embedder; the turn uses it if that message is still the last.
import { messagesOf } from '../../../db/queries/conversation.ts';
import { actor, type FlowCtx } from '../../contract/context.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { answerText, questionsIn } from '../../domain/negotiation/question.ts';
import { meaningsOf, publicKnowledge } from '../knowledge/search.ts';
import { NEWEST, OLDEST } from '../message/thread.ts';

/** How well an entry has to answer: some two fifths of a question's words by weight, or much the same in meaning. */
const ANSWERS_FROM = 0.4;
/** A turn is a few sentences. */
const ANSWERS_MAX = 2;

export interface Known {
  readonly message_id: string;
  readonly text: string;
}

/** Looks it up for the acting agent; null where nothing was asked, or nothing answers. */
export async function lookUpKnown(
  ctx: FlowCtx,
  ports: Pick<FlowPorts, 'embedder' | 'tasks'>,
  conversation_id: string,
): Promise<Known | null> {
  const { id } = actor(ctx);
  const [last] = await ctx.read(messagesOf, { conversation_id, after: OLDEST, before: NEWEST, limit: 1 });
  const questions = last && last.sender_id !== id ? questionsIn(last.content) : [];
  if (!last || questions.length === 0) return null;
  const meanings = await meaningsOf(ports, questions);
  const asked = questions.map((question, at) => ({ question, meaning: meanings[at] ?? null, limit: 1 }));
  const found = new Map<string, string>();
  for (const [best] of await publicKnowledge(ctx.read, id, asked)) {
    if (best && best.score >= ANSWERS_FROM) found.set(best.entry.id, answerText(best.entry.text));
  }
  const text = [...found.values()].slice(0, ANSWERS_MAX).join(' ');
  return text === '' ? null : { message_id: last.id, text };
}
