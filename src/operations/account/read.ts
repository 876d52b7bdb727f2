// Reads the caller's account.
import { Type } from 'typebox';
import { accountById } from '../../../db/queries/identity.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { mayInvite } from '../../domain/identity/join.ts';
import { AccountView, OwnLanguage } from '../../schemas/account.ts';
import { namedObject } from '../../schemas/named.ts';
import { iso } from '../../schemas/wire.ts';

export const accountRead = query({
  name: 'account.read',
  summary: 'Read the account',
  input: Type.Object({}),
  output: namedObject('OwnAccount', 'the account of the caller', {
    ...AccountView.properties,
    language: OwnLanguage,
    admin: Type.Boolean({ description: 'whether it is an administrator' }),
    may_invite: Type.Boolean({ description: 'whether it may invite people' }),
  }),
  access: 'session',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/account' }],
  run: async (read, _input, ctx) => {
    const account = await read(accountById, { id: ctx.account_id });
    if (!account?.email) return fault('not_found');
    const { id, email, plan, language, created_at } = account;
    const { admin } = ctx.principal;
    const may_invite = mayInvite(ctx.settings.joining, admin);
    return { id, email, plan, language, created_at: iso(created_at), admin, may_invite };
  },
});
