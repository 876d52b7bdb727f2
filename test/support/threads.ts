// Agents with keys, and threads between them, for tests of conversations and inboxes.
import { type EventEffect, insert } from '../../db/effects.ts';
import type { Ctx } from '../../src/contract/context.ts';
import type { EventKind } from '../../src/domain/inbox/event.ts';
import { INTERNAL } from '../../src/pipeline/principals.ts';
import { tell } from '../../src/steps/event.ts';
import { openConversation } from '../../src/steps/message/post.ts';
import { madeUp } from './checked-events.ts';
import { signUp, type TestService } from './testbed.ts';

export interface TestAgent {
  readonly id: string;
  readonly handle: string;
  readonly account_id: string;
  readonly key: string;
}

/** Signs up an account with one agent. */
export async function agentNamed(t: TestService, handle: string): Promise<TestAgent> {
  const key = await signUp(t, `${handle}@example.org`);
  const answer = await t.call('POST', '/api/agents', { key, body: { handle, display_name: handle } });
  if (answer.status !== 201)
    throw new Error(`creating ${handle} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return { id: answer.body.id, handle, account_id: answer.body.account_id ?? handle, key };
}

/** What effects need of a call, as if an agent's account had called. */
export function ctxOf(t: TestService, account_id: string): Ctx {
  const partial: Partial<Ctx> = {
    principal: { ...INTERNAL, account_id, plan: 'pro' },
    account_id,
    now_ms: t.clock.now(),
    settings: t.service.world.settings,
    secrets: t.service.world.secrets,
    addresses: t.service.world.addresses,
    id: t.service.world.id,
  };
  // Only what openConversation and tell look at.
  return partial as Ctx;
}

type Side = Pick<TestAgent, 'id' | 'handle'> & { readonly account_id?: string };

/** Opens a thread as the operations do that start one; answers its id. */
export async function openThread(t: TestService, opener: Side, other: Side, subject = 'A rope'): Promise<string> {
  const ctx = ctxOf(t, opener.account_id ?? opener.id);
  const { conversation_id, effects } = openConversation(ctx, {
    opener,
    other,
    match_id: null,
    subject,
    blocks: { opener: false, other: false },
  });
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
  return conversation_id;
}

/** Writes to an agent for the first time by the tool; answers the conversation's id. */
export async function startTalk(
  t: TestService,
  { key }: { readonly key: string },
  handle: string,
  content: string,
): Promise<string> {
  const begun = await t.call('POST', '/tools/mesh_start_conversation', { key, body: { handle, content } });
  if (begun.status !== 200) throw new Error(`a first message answered ${begun.status}: ${JSON.stringify(begun.body)}`);
  return begun.body.conversation_id;
}

/** Puts events into an inbox as operations do, all in one turn; answers their ids. */
export async function tellMany(
  t: TestService,
  to: TestAgent,
  count: number,
  kind: EventKind = 'test.ping',
): Promise<string[]> {
  const ctx = ctxOf(t, to.account_id);
  const effects = Array.from({ length: count }, (_, n) =>
    madeUp({ ...tell(ctx, to, 'test.ping', { message: '' }), event: kind, data: { n } }),
  );
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
  return effects.map((effect) => effect.id);
}

/** A pending match between two agents, with the event that awaits each side's answer; answers its match_id. */
export async function pendingMatch(t: TestService, a: Side, b: Side, respond_by?: number): Promise<string> {
  const ctx = ctxOf(t, a.account_id ?? a.id);
  const [match_id, offer_id, seek_id] = [ctx.id(), ctx.id(), ctx.id()];
  const row = insert('matches', {
    id: `${offer_id}:${seek_id}`,
    match_id,
    offer_id,
    seek_id,
    offer_agent_id: a.id,
    seek_agent_id: b.id,
    offer_headline: 'Rope',
    seek_headline: 'A rope wanted',
    score_ppm: 700_000,
    reasons: [],
    status: 'pending',
    approved_by: [],
    saved_by: [],
    shown_to: [a.id, b.id],
    feedback: null,
    created_at: ctx.now_ms,
    updated_at: ctx.now_ms,
  });
  const told = (to: Side, other: Side): EventEffect =>
    tell(
      ctx,
      to,
      'match.created',
      { match_id, counterparty_handle: other.handle, score: 0.7 },
      { subject_id: match_id, respond_by },
    );
  const effects = [row, told(a, b), told(b, a)];
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects }) });
  return match_id;
}
