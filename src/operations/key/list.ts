// The account's keys that work now, however they came to be: a person must see the key that an agent got by mail as well
// as those minted by hand, to be able to revoke it.
import { Type } from 'typebox';
import { keysOfAccount } from '../../../db/queries/identity.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import { DeveloperKey } from '../../schemas/key.ts';
import { iso, isoOrNull, PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { budgetView } from '../../steps/money/budget.ts';
import { cutPage } from '../../steps/page.ts';
import { query } from '../operation.ts';

export const keyList = query({
  name: 'key.list',
  summary: 'List API keys',
  description: "The account's keys that work now, newest first; of each only its opening is shown.",
  input: Type.Object({ ...PAGE }),
  output: Type.Array(DeveloperKey),
  example: {},
  effect: 'reads',
  access: 'session',
  paged: true,
  faults: [],
  rest: [{ method: 'GET', path: '/api/developer/keys' }],
  run: async (read, input, ctx, { key_uses }) => {
    const limit = input.limit ?? PAGE_DEFAULT;
    const page = {
      account_id: ctx.account_id,
      now_ms: ctx.now_ms,
      before: input.cursor ?? HIGHEST_ID,
      limit: limit + 1,
    };
    const rows = await read(keysOfAccount, page);
    const { shown, next_cursor } = cutPage(rows, limit, ({ key }) => key.id);
    const budgets = await Promise.all(shown.map(({ key }) => budgetView(read.peek, key.budget, ctx.now_ms)));
    const items = shown.map(({ key, agent_handle, last_used_at }, at) => ({
      id: key.id,
      name: key.name,
      prefix: key.prefix,
      scopes: [...key.scopes],
      agent_handle,
      created_at: iso(key.created_at),
      last_used_at: isoOrNull(key_uses.unwritten(key.id) ?? last_used_at ?? key.used_at),
      expires_at: iso(key.expires_at),
      budget: budgets[at] ?? null,
    }));
    return { items, next_cursor };
  },
});
