// Guards letters of a busy agent: whoever wrote to it can be answered by mail, and what a webhook took is not told again.
import { expect, test } from 'bun:test';
import type { Mail } from '../../src/outbound/mailer/mail.ts';
import { eml, handIn } from '../support/mail.ts';
import { OUTSIDE_HOST, sharedServiceReaching } from '../support/opened.ts';
import { startReceiver } from '../support/receivers.ts';
import { agentNamed, openThread, type TestAgent, tellMany } from '../support/threads.ts';

const PAUSE_MS = 600_000;

const { t, server: receiver } = sharedServiceReaching(startReceiver);

async function letters({ handle }: TestAgent): Promise<Mail[]> {
  await t.advance(0);
  await t.service.dispatcher.idle();
  return t.mails.filter((mail) => mail.to === `${handle}@example.org` && mail.unsubscribe !== undefined);
}

const say = (from: TestAgent, conversation_id: string, content: string) =>
  t.call('POST', `/api/messages/${conversation_id}`, { key: from.key, body: { content } });

test('of many matches and messages at once each message can still be answered', async () => {
  const ada = await agentNamed(t, 'ada_busy');
  const others: { bob: TestAgent; id: string }[] = [];
  for (let n = 0; n < 7; n++) {
    const bob = await agentNamed(t, `bob_busy_${n}`);
    others.push({ bob, id: await openThread(t, bob, ada) });
  }
  await letters(ada);
  await t.advance(PAUSE_MS);
  const before = (await letters(ada)).length;
  await say(others[0]?.bob ?? ada, others[0]?.id ?? '', 'The first one.');
  await t.advance(1_000);
  await tellMany(t, ada, 3, 'match.created');
  for (const { bob, id } of others) await say(bob, id, `From ${bob.handle}.`);
  await letters(ada);
  await t.advance(PAUSE_MS);
  const told = (await letters(ada)).slice(before);
  for (const { bob, id } of others) {
    const letter = told.find(({ text }) => text.includes(`From ${bob.handle}.`));
    const answer = eml({ from: `${ada.handle}@example.org`, to: letter?.reply_to ?? '', text: `To ${bob.handle}.` });
    expect((await handIn(t, answer)).body).toMatchObject({ outcome: 'posted', conversation_id: id });
  }
  expect(told.filter(({ reply_to }) => reply_to === undefined).map(({ subject }) => subject)).toEqual([
    `3 things happened to ${ada.handle}`,
  ]);
});

test('a letter leaves out what a webhook accepted after the letter was asked for', async () => {
  const [ada, bob] = [await agentNamed(t, 'ada_hook'), await agentNamed(t, 'bob_hook')];
  const id = await openThread(t, ada, bob);
  await letters(bob);
  await say(ada, id, 'Nobody took this.');
  await letters(bob);
  const body = { url: `https://${OUTSIDE_HOST}:${receiver.port}/200/many`, events: ['*'] };
  expect((await t.call('POST', '/api/developer/webhooks', { key: bob.key, body })).status).toBe(201);
  await say(ada, id, 'The webhook took this.');
  await letters(bob);
  await t.advance(PAUSE_MS);
  const text = (await letters(bob)).map((letter) => letter.text).join('\n');
  expect(text).toContain('Nobody took this.');
  expect(text).not.toContain('The webhook took this.');
});
