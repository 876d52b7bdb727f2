// Lists the people of the service and searches them by the beginning of an address. admin.account shows one of them, for a recorded reason.
import { type Static, Type } from 'typebox';
import {
  AGENTS_COUNTED_MAX,
  adminsBefore,
  agentsInUse,
  lastSignIn,
  peopleBefore,
  peopleByEmail,
  suspendedBefore,
} from '../../../db/queries/admin.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import { query } from '../../contract/operation.ts';
import { PLATFORM_ACCOUNT_ID } from '../../domain/agent/platform.ts';
import { PlanName } from '../../schemas/account.ts';
import { ACCOUNT_FACTS, accountFacts } from '../../schemas/admin.ts';
import { namedObject } from '../../schemas/named.ts';
import { isoOrNull, NullableTime, PAGE, PAGE_DEFAULT } from '../../schemas/wire.ts';
import { spanOf } from '../../steps/admin/prefix.ts';
import { siftedPage } from '../../steps/page.ts';

const Person = namedObject('ListedPerson', 'an account in the list of people', {
  ...ACCOUNT_FACTS,
  agents: Type.Integer({ minimum: 0, description: `active ones, counted up to ${AGENTS_COUNTED_MAX}` }),
  last_seen_at: NullableTime,
});

const Input = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 320, description: 'the start of the address' })),
  state: Type.Optional(Type.Enum(['suspended', 'administrator'])),
  plan: Type.Optional(PlanName),
  ...PAGE,
});

type Account = Row<'accounts'>;
type Asked = Pick<Static<typeof Input>, 'state' | 'plan'> & { readonly prefix: string };
type Reading = (cursor: string, limit: number) => Promise<readonly Account[]>;

/** The rows to page through: by address, or by an index of the requested state. */
function listOf(read: Read, { prefix, state }: Asked): Reading {
  if (prefix !== '') {
    return async (cursor, limit) => {
      const last = cursor === HIGHEST_ID ? null : await read(accountById, { id: cursor });
      return read(peopleByEmail, { ...spanOf(prefix, last?.email ?? null), limit });
    };
  }
  const list = { suspended: suspendedBefore, administrator: adminsBefore };
  return (before, limit) => read(state ? list[state] : peopleBefore, { before, limit });
}

function isAsked({ state, plan }: Asked): (account: Account) => boolean {
  return ({ id, deleted_at, suspended_at, admin_at, ...account }) =>
    id !== PLATFORM_ACCOUNT_ID &&
    deleted_at === null &&
    (plan === undefined || account.plan === plan) &&
    (state !== 'suspended' || suspended_at !== null) &&
    (state !== 'administrator' || admin_at !== null);
}

async function personView(read: Read, account: Account): Promise<Static<typeof Person>> {
  const asked = { account_id: account.id };
  const [agents, session] = await Promise.all([read(agentsInUse, asked), read(lastSignIn, asked)]);
  const seen_at = Math.max(agents?.seen_at ?? 0, session?.at ?? 0);
  return {
    ...accountFacts(account),
    agents: agents?.n ?? 0,
    last_seen_at: isoOrNull(seen_at === 0 ? null : seen_at),
  };
}

export const adminPeople = query({
  name: 'admin.people',
  needed_by: 'an administrator who looks for a person',
  summary: 'List people',
  description:
    'Newest first; with `q` those whose address starts with it, by address. With a filter a page may be short: continue with ' +
    'its cursor. `last_seen_at` is when one of their agents was last online, or when they last signed in.',
  input: Input,
  output: Type.Array(Person),
  access: 'admin',
  paged: true,
  rest: [{ method: 'GET', path: '/api/admin/people' }],
  run: async (read, { q = '', state, plan, limit = PAGE_DEFAULT, cursor = HIGHEST_ID }) => {
    const asked = { state, plan, prefix: q.trim().toLowerCase() };
    const page = await siftedPage<Account>({
      from: cursor,
      limit,
      read: listOf(read, asked),
      cursorOf: ({ id }) => id,
      textOf: ({ email }) => email ?? '',
      fits: isAsked(asked),
    });
    return { ...page, items: await Promise.all(page.items.map((account) => personView(read, account))) };
  },
});
