// Everything that is kept of the account, for its person to take along.
import { Type } from 'typebox';
import { accountById } from '../../../db/queries/identity.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { AccountView } from '../../schemas/account.ts';
import { EXPORT_CURSOR } from '../../schemas/export.ts';
import { namedObject } from '../../schemas/named.ts';
import { iso, Time } from '../../schemas/wire.ts';
import { takeAccount } from '../../steps/export/account.ts';

export const accountExport = query({
  name: 'account.export',
  summary: 'Export everything',
  description:
    'All that is kept of you: account, keys, sessions, settings, payout account, plan, and of each agent its profile, proofs, listings, matches, messages, events, webhooks, wallet, receipts, escrows, subscriptions, fundings, payouts, requests, quotes, meetings, proposals with its word on them, turns with their reasons, offers of capabilities, routed calls and knowledge. No secrets. An answer holds some thousand rows; while `next_cursor` is not null, ask again with it as `cursor` and append to each section.',
  input: Type.Object({ cursor: EXPORT_CURSOR }),
  output: namedObject('AccountExport', 'all that is kept of an account, or a part of it', {
    exported_at: Time,
    account: AccountView,
    sections: Type.Record(Type.String(), Type.Array(Type.Record(Type.String(), Type.Unknown())), {
      description: 'rows as they are kept, by what they are',
    }),
    next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'null: this is the last part' }),
  }),
  example: {},
  effect: 'reads',
  access: 'session',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/account/export' }],
  run: async (read, { cursor }, { account_id, now_ms, settings }, { documents }) => {
    const account = await read(accountById, { id: account_id });
    if (!account?.email) return fault('not_found');
    const { id, email, plan, created_at } = account;
    const told = { account_id, now_ms, issuer: settings.base_url, documents };
    const { sections, next_cursor } = await takeAccount(read, told, cursor);
    return {
      exported_at: iso(now_ms),
      account: { id, email, plan, created_at: iso(created_at) },
      sections: sections as Record<string, Record<string, unknown>[]>,
      next_cursor,
    };
  },
});
