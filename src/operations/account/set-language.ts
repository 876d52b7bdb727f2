// Sets the language of the app, the pages and letters. It is the person's, so no agent sets it.
import { Type } from 'typebox';
import { patch } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { command } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { OwnLanguage } from '../../schemas/account.ts';

export const accountSetLanguage = command({
  name: 'account.set_language',
  needed_by: 'a person who wants letters and pages in a language other than that of the browser',
  summary: 'Set the language of the account',
  input: Type.Object({ language: OwnLanguage }),
  output: Type.Object({ language: OwnLanguage }),
  example: { language: 'de' },
  effect: 'changes',
  access: 'session',
  faults: ['not_found'],
  rest: [{ method: 'PUT', path: '/api/account/language' }],
  load: (read, _input, { account_id }) => read(accountById, { id: account_id }),
  decide: (account, { language }) =>
    account ? { reply: { language }, effects: [patch('accounts', account, { language })] } : fault('not_found'),
});
