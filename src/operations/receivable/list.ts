// Lists debts after chargebacks, for administrators. An account with a debt cannot pay until incoming money has repaid it.
import { type Static, Type } from 'typebox';
import { receivablesBefore } from '../../../db/queries/processor.ts';
import { HIGHEST_ID } from '../../../db/query.ts';
import type { Row } from '../../../db/schema/tables.ts';
import { query } from '../../contract/operation.ts';
import { namedObject } from '../../schemas/named.ts';
import { Cents, Id, iso, nullable, PAGE, PAGE_DEFAULT, Time } from '../../schemas/wire.ts';
import { cutPage } from '../../steps/page.ts';

const Receivable = namedObject('Receivable', 'the part of a chargeback that a wallet did not cover', {
  id: Id,
  status: Type.Enum(['open', 'repaid']),
  handle: nullable(Type.String(), 'the agent that owes it'),
  funding_id: Id,
  amount_cents: Cents,
  repaid_cents: Cents,
  owed_cents: Cents,
  created_at: Time,
});

function receivableView(
  { id, status, funding_id, amount_cents, repaid_cents, created_at }: Row<'receivables'>,
  handle: string | null,
): Static<typeof Receivable> {
  const owed_cents = amount_cents - repaid_cents;
  return { id, status, handle, funding_id, amount_cents, repaid_cents, owed_cents, created_at: iso(created_at) };
}

export const receivableList = query({
  name: 'receivable.list',
  needed_by: 'an administrator who collects debts from chargebacks',
  noun: 'Debts of accounts after chargebacks.',
  summary: 'List receivables',
  description: 'Newest first, repaid ones included. An account with a debt cannot pay.',
  input: Type.Object({ ...PAGE }),
  output: Type.Array(Receivable),
  access: 'admin',
  paged: true,
  rest: [{ method: 'GET', path: '/api/admin/receivables' }],
  run: async (read, { limit = PAGE_DEFAULT, cursor = HIGHEST_ID }) => {
    const rows = await read(receivablesBefore, { before: cursor, limit: limit + 1 });
    const { shown, next_cursor } = cutPage(rows, limit, ({ receivable }) => receivable.id);
    return { items: shown.map(({ receivable, handle }) => receivableView(receivable, handle)), next_cursor };
  },
});
