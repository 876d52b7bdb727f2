// A letter about a match can be answered: the answer says yes and is the first message of the conversation that it opens, once, and
// only from the address that the letter went to.

import { describe, expect, test } from 'bun:test';
import { HOUR_MS } from '../../src/domain/time.ts';
import type { Mail } from '../../src/outbound/mailer/mail.ts';
import { eml, handIn } from '../support/mail.ts';
import { sharedService } from '../support/opened.ts';
import type { TestAnswer } from '../support/testbed.ts';
import { agentNamed, pendingMatch, type TestAgent } from '../support/threads.ts';

const t = sharedService();
let names = 0;

interface Met {
  readonly ada: TestAgent;
  readonly bob: TestAgent;
  readonly match_id: string;
  readonly letter: Mail;
  answer(text: string, more?: { from?: string; id?: string }): Promise<TestAnswer>;
}

const emailOf = ({ handle }: TestAgent): string => `${handle}@example.org`;
const lettersTo = (agent: TestAgent): Mail[] => t.mails.filter((mail) => mail.to === emailOf(agent) && mail.one_click);

async function met(): Promise<Met> {
  names += 1;
  const [ada, bob] = [await agentNamed(t, `meets_a${names}`), await agentNamed(t, `meets_b${names}`)];
  const match_id = await pendingMatch(t, ada, bob);
  await t.advance(HOUR_MS);
  const letter = lettersTo(ada).at(-1);
  if (!letter) throw new Error('no letter told of the match');
  const answer: Met['answer'] = (text, { from = emailOf(ada), id } = {}) =>
    handIn(t, eml({ from, to: letter.reply_to ?? '', text, ...(id !== undefined && { id }) }));
  return { ada, bob, match_id, letter, answer };
}

const messagesOf = async ({ bob }: Met, id: string) =>
  (await t.call('GET', `/api/messages/${id}`, { key: bob.key })).body.map(
    ({ sender, content }: { sender: string; content: string }) => [sender, content],
  );
const feedback = (who: TestAgent, match_id: string, action: string) =>
  t.call('POST', '/api/matching/feedback', { key: who.key, body: { match_id, action } });

describe('an answer to a letter about a match', () => {
  test('approves it and begins the conversation with what it says', async () => {
    const it = await met();
    expect(it.letter.subject).toContain(`New match with ${it.bob.handle}`);
    expect(it.letter.text).toContain('Answer this mail to say that you are interested');
    const { status, body } = await it.answer('Good day. When can we talk?');
    expect([status, body.outcome]).toEqual([200, 'posted']);
    expect(await messagesOf(it, body.conversation_id)).toEqual([[it.ada.handle, 'Good day. When can we talk?']]);
    const inbox = await t.call('GET', '/api/inbox?limit=100', { key: it.bob.key });
    const kinds = inbox.body.events.map(({ kind }: { kind: string }) => kind);
    expect(kinds.slice(-3).toSorted()).toEqual(['conversation.started', 'conversation.updated', 'match.approved']);
    const match = await feedback(it.ada, it.match_id, 'interested');
    expect(match.body).toMatchObject({ conversation_id: body.conversation_id, approved_by: [it.ada.handle] });
    // The next answer to the same letter goes on with it.
    expect((await it.answer('And where?')).body).toMatchObject({ conversation_id: body.conversation_id });
    expect(await messagesOf(it, body.conversation_id)).toHaveLength(2);
  });

  test('counts to its account’s month as any opened conversation', async () => {
    const it = await met();
    const used = async () => {
      const { body } = await t.call('GET', '/api/billing/limits', { key: it.ada.key });
      return body.limits.find(({ name }: { name: string }) => name === 'conversations').used;
    };
    const before = await used();
    await it.answer('Hello.');
    expect(await used()).toBe(before + 1);
  });

  test('that comes twice, also at once, is one conversation and one message', async () => {
    const it = await met();
    const [one, two] = await Promise.all([it.answer('Once.', { id: 'same' }), it.answer('Once.', { id: 'same' })]);
    const outcomes = [one.body.outcome, two.body.outcome].toSorted();
    expect(outcomes).toEqual(['duplicate', 'posted']);
    const posted = one.body.outcome === 'posted' ? one : two;
    expect(await messagesOf(it, posted.body.conversation_id)).toHaveLength(1);
  });

  test('after the other side said yes goes into the conversation that is there', async () => {
    const it = await met();
    const opened = await feedback(it.bob, it.match_id, 'interested');
    const { body } = await it.answer('Gladly.');
    expect(body.conversation_id).toBe(opened.body.conversation_id);
    expect(await messagesOf(it, body.conversation_id)).toEqual([[it.ada.handle, 'Gladly.']]);
  });

  test('from another address opens nothing', async () => {
    const it = await met();
    const refused = await it.answer('Hello.', { from: 'eve@example.org' });
    expect([refused.status, refused.body.error]).toEqual([403, 'not_a_party']);
    expect((await feedback(it.bob, it.match_id, 'saved')).body).toMatchObject({
      approved_by: [],
      conversation_id: null,
    });
  });

  test('to one that was declined, or is over, is refused in the words of its route', async () => {
    const declined = await met();
    await feedback(declined.bob, declined.match_id, 'not_a_fit');
    const late = await declined.answer('Please?');
    expect([late.status, late.body.error]).toEqual([409, 'already_decided']);
    const over = await met();
    await t.advance(30 * 24 * HOUR_MS);
    const closed = await over.answer('Still there?');
    expect([closed.status, closed.body.error]).toEqual([409, 'match_closed']);
  });

  test('to somebody who blocks the agent is refused', async () => {
    const it = await met();
    await t.call('POST', `/api/agents/${it.ada.handle}/block`, { key: it.bob.key, body: {} });
    const refused = await it.answer('Hello.');
    expect([refused.status, refused.body.error]).toEqual([403, 'blocked']);
  });
});
