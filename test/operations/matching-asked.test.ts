// What a node without the index asks of others is bounded for each caller; what the index names for the registry comes in pages.
import { describe, expect, test } from 'bun:test';
import { MailboxFull } from '../../actors/mailbox.ts';
import { agentById } from '../../db/queries/agent.ts';
import type { Read } from '../../db/store.ts';
import { MatchingUnavailable } from '../../src/contract/matching-unavailable.ts';
import { newest } from '../../src/matching/local.ts';
import { remoteMatcher } from '../../src/matching/remote.ts';
import { answerRequest } from '../../src/matching/request.ts';
import { listedPage } from '../../src/steps/agent/listed.ts';
import { seeded } from '../support/dice.ts';

test('requests of one caller are refused when 32 are under way, and of another one are not', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const callers: string[] = [];
  const matcher = remoteMatcher({
    ask: (_request, caller) => {
      callers.push(caller);
      return promise;
    },
  });
  const explain = (account_id: string): Promise<unknown> => matcher.explain({ account_id, now_ms: 0 }, 'a listing');
  const under_way = Array.from({ length: 32 }, () => explain('ann'));
  expect(explain('ann')).rejects.toBeInstanceOf(MailboxFull);
  under_way.push(explain('bob'), matcher.agentsWith(['a'], 'z', 1));
  resolve('null');
  expect(await Promise.all(under_way)).toHaveLength(34);
  expect(await explain('ann')).toBe(null);
  expect([...new Set(callers)]).toEqual(['ann', 'bob', 'public']);
});

test('a request of a kind that only a newer release knows is not answered', () => {
  const request = answerRequest({} as Parameters<typeof answerRequest>[0], '{"ask":"something new"}');
  expect(request).rejects.toBeInstanceOf(MatchingUnavailable);
});

describe('the newest of some ids', () => {
  const random = seeded(7);
  const ids = Array.from({ length: 5_000 }, () => `${Math.floor(random() * 2_000)}`.padStart(4, '0'));
  const sorted = [...new Set(ids)].sort().reverse();

  test.each([1, 2, 7, 64, 3_000])('%p at once: each once, newest first', (limit) => {
    expect(newest(ids, '9', limit)).toEqual(sorted.slice(0, limit));
    expect(newest(ids, '1000', limit)).toEqual(sorted.filter((id) => id < '1000').slice(0, limit));
    expect(newest([], '9', limit)).toEqual([]);
  });
});

test('a read of the registry looks at a thousand agents of a label at most, and its cursor goes on', async () => {
  const ids = Array.from({ length: 3_000 }, (_, n) => `${n}`.padStart(4, '0'));
  let asked = 0;
  const agentsWith = async (_labels: readonly string[], before: string, limit: number): Promise<string[]> => {
    asked += 1;
    return newest(ids, before, limit);
  };
  // No agent is found, as if all were hidden.
  const read = (async (query: unknown) => (query === agentById ? null : [])) as unknown as Read;
  const page = await listedPage({ agentsWith }, read, { words: [], labels: ['a'] }, { before: '9', limit: 20 });
  expect(page).toEqual({ items: [], next_cursor: '1976' });
  expect(asked).toBe(16);
});
