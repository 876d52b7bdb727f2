// Lists all valid keys of the account: to be able to revoke them, a person must also see the key that an agent got by mail, and the
// key pair that it registered.
import { type Static, Type } from 'typebox';
import { agentsOfAccount } from '../../../db/queries/agent.ts';
import { keysOfAccount } from '../../../db/queries/identity.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { KeyPairColumn } from '../../../db/schema/agent.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { query } from '../../contract/operation.ts';
import type { QueryPorts } from '../../contract/ports.ts';
import { DeveloperKey } from '../../schemas/key.ts';
import { iso, isoOrNull, PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import type { PairWorth } from '../../steps/key.ts';
import { budgetView } from '../../steps/money/budget.ts';
import { cutPage } from '../../steps/page.ts';
import { readPairWorth } from '../../steps/session/find.ts';

/** Enough of a fingerprint to distinguish a person's key pairs. */
const FINGERPRINT_SHOWN = 12;

type Spendable = Static<typeof DeveloperKey>['budget'];

interface Pair {
  readonly pair: KeyPairColumn;
  readonly agent: Row<'agents'>;
  readonly worth: PairWorth;
}

/** The key pairs that can obtain tokens. */
async function pairsBefore(
  read: Read,
  { account_id, now_ms, before }: { account_id: string; now_ms: number; before: string },
): Promise<Pair[]> {
  const agents = await read(agentsOfAccount, { account_id });
  const found = agents.map(async (agent) => {
    const pair = agent.key_pair;
    const worth = pair && pair.id < before ? await readPairWorth(read, agent, now_ms) : null;
    return pair && worth ? [{ pair, agent, worth }] : [];
  });
  return (await Promise.all(found)).flat();
}

function pairView({ pair, agent, worth }: Pair, budget: Spendable): Static<typeof DeveloperKey> {
  return {
    id: pair.id,
    kind: 'key_pair',
    name: `Key pair of @${agent.handle}`,
    prefix: (agent.fingerprint ?? '').slice(0, FINGERPRINT_SHOWN),
    scopes: [...worth.scopes],
    agent_handle: agent.handle,
    created_at: iso(pair.created_at),
    last_used_at: null,
    expires_at: Number.isFinite(worth.ends_at) ? iso(worth.ends_at) : null,
    budget,
  };
}

function keyView(
  {
    key,
    agent_handle,
    last_used_at,
  }: { key: Row<'api_keys'>; agent_handle: string | null; last_used_at: number | null },
  key_uses: QueryPorts['key_uses'],
  budget: Spendable,
): Static<typeof DeveloperKey> {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    prefix: key.prefix,
    scopes: [...key.scopes],
    agent_handle,
    created_at: iso(key.created_at),
    last_used_at: isoOrNull(key_uses.unwritten(key.id) ?? last_used_at ?? key.used_at),
    expires_at: iso(key.expires_at),
    budget,
  };
}

export const keyList = query({
  name: 'key.list',
  summary: 'List API keys',
  description: "The account's valid keys and its agents' key pairs, newest first; only the prefix of each is shown.",
  input: Type.Object({ ...PAGE }),
  output: Type.Array(DeveloperKey),
  access: 'session',
  paged: true,
  rest: [{ method: 'GET', path: '/api/developer/keys' }],
  run: async (read, input, ctx, { key_uses }) => {
    const limit = input.limit ?? PAGE_DEFAULT;
    const page = {
      account_id: ctx.account_id,
      now_ms: ctx.now_ms,
      before: input.cursor ?? HIGHEST_ID,
      limit: limit + 1,
    };
    const [keys, pairs] = await Promise.all([read(keysOfAccount, page), pairsBefore(read, page)]);
    const rows = [...keys.map((of) => ({ id: of.key.id, of })), ...pairs.map((of) => ({ id: of.pair.id, of }))];
    rows.sort((one, other) => (one.id < other.id ? 1 : -1));
    const { shown, next_cursor } = cutPage(rows, limit, ({ id }) => id);
    const items = await Promise.all(
      shown.map(async ({ of }) =>
        'pair' in of
          ? pairView(of, await budgetView(read.peek, of.worth.budget, ctx.now_ms))
          : keyView(of, key_uses, await budgetView(read.peek, of.key.budget, ctx.now_ms)),
      ),
    );
    return { items, next_cursor };
  },
});
