// Guards how mail of a conversation leaves: a new address for each letter, kept as hashes only.
import { expect, test } from 'bun:test';
import { REPLY_TOKEN_MS } from '../../src/domain/mail/mailbox.ts';
import { messageIdRow, replyAddress, tokenId } from '../../src/steps/mail/reply-address.ts';
import { sharedService } from '../support/opened.ts';
import { agentNamed, ctxOf, openThread } from '../support/threads.ts';

const t = sharedService();

test('each letter gets its own address and Message-ID, and the rows hold neither', async () => {
  const ada = { ...(await agentNamed(t, 'ada')), display_name: 'Ada, "the first"' };
  const bob = await agentNamed(t, 'bob');
  const conversation_id = await openThread(t, ada, bob);
  const ctx = { ...ctxOf(t, ada.account_id), random: (n: number) => t.service.world.random(n) };
  const [first, second] = [replyAddress(ctx, ada, { conversation_id }), replyAddress(ctx, ada, { conversation_id })];
  expect(first.address).toMatch(/^ada\+[0-9a-z]{26}@agents\.localhost$/);
  expect(first.fields).toMatchObject({
    from: 'ada@agents.localhost',
    from_name: 'Ada the first',
    reply_to: first.address,
    in_reply_to: `<conversation.${conversation_id}@agents.localhost>`,
  });
  expect(second.address).not.toBe(first.address);
  expect(second.fields.message_id).not.toBe(first.fields.message_id);
  expect(second.fields.references).toEqual(first.fields.references);
  const token = first.address.slice(4, 30);
  const rows = JSON.stringify(first.effects);
  expect(rows).not.toContain(token);
  expect(rows).not.toContain(first.fields.message_id.slice(1, 20));
  expect(first.effects.map((effect) => effect.do === 'insert' && effect.row)).toEqual(
    [tokenId(token), messageIdRow(first.fields.message_id)].map((id) => ({
      id,
      agent_id: ada.id,
      conversation_id,
      match_id: null,
      created_at: ctx.now_ms,
      expires_at: ctx.now_ms + REPLY_TOKEN_MS,
    })),
  );
  await t.service.world.store.turn({ attempt: async () => ({ reply: null, effects: first.effects }) });
});

test('a name of nothing but invisible letters gives way to the handle', async () => {
  const ctx = { ...ctxOf(t, 'x'), random: (n: number) => t.service.world.random(n) };
  const { fields } = replyAddress(
    ctx,
    { id: 'x', handle: 'ada', display_name: '\u200b\u202e' },
    { conversation_id: 'y' },
  );
  expect(fields.from_name).toBe('ada');
});
