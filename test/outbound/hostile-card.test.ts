// Cards of remote agents that are made to cost: one that nests without an end is none, and so is one of very
// many skills, whose texts would be made four times for its signature.
import { expect, test } from 'bun:test';
import { fetchCard } from '../../src/outbound/agent-card.ts';
import type { SafeAnswer } from '../../src/outbound/safe-http/safe-http.ts';

/** What is found at a host that answers every address with one text. */
function found(text: string) {
  const answer = { ok: true, status: 200, headers: {}, body: Buffer.from(text) } as unknown as SafeAnswer;
  const http = { request: async () => answer };
  return fetchCard(http, 'https://a.example/', () => true, new AbortController().signal);
}

test('a card that nests a hundred thousand levels is none', async () => {
  const deep = `{"name": "a", "skills": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect(await found(deep)).toEqual({ is: 'none' });
});

test('a card of sixty thousand skills is none; one of nine hundred is a card like others', async () => {
  const cardOf = (count: number) => JSON.stringify({ name: 'a', skills: Array.from({ length: count }, () => ({})) });
  expect(await found(cardOf(60_000))).toEqual({ is: 'none' });
  expect((await found(cardOf(900))).is).toBe('card');
});
