// What a commit costs where many values hang on the one row that it changed: an account with all of its keys and sessions.
import { expect, test } from 'bun:test';
import type { CommitNotice } from '../../db/store.ts';
import { expectLinear, loadCounted } from '../support/steps.ts';

test('a change forgets what was made of its row in proportion to how much that is', async () => {
  const { commitCache } = await loadCounted<typeof import('../../db/commit-cache.ts')>('./db/commit-cache.ts');
  const forgetAll = (keys: string): void => {
    let tell: (notice: CommitNotice) => unknown = () => undefined;
    const cache = commitCache<string, string>({
      store: { shared: false, onCommit: (listener) => (tell = listener) },
      now: () => 0,
      tables: ['api_keys', 'accounts'],
      max: 100_000,
      rows: (_value, id) => [{ table: 'api_keys', id } as const, { table: 'accounts', id: 'one' } as const],
      load: (id) => id,
    });
    for (let n = 0; n < keys.length; n++) cache.get(`key-${n}`);
    tell({
      ...{ turns: 1, events: [], reminders: [], sends: [], replies: [], woken: [] },
      changed: [{ table: 'accounts', id: 'one' }],
    });
    expect(cache.known('key-0')).toBeUndefined();
  };
  expectLinear(forgetAll, 'x', 1_024);
});
