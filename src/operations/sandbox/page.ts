// The content of a page of the built-in processor.
import { Type } from 'typebox';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Cents } from '../../schemas/wire.ts';
import { PAGE_ADDRESS, readSandboxPage } from '../../steps/sandbox/page.ts';

export const sandboxPage = query({
  name: 'sandbox.page',
  needed_by: 'the page of the sandbox on which a person pays',
  summary: 'Show a page of the built-in payment processor',
  input: Type.Object(PAGE_ADDRESS),
  output: Type.Object({
    state: Type.Enum(['open', 'paid', 'cancelled', 'expired']),
    amount_cents: Cents,
    who: Type.String({ description: 'its owner: a handle, or an address' }),
    back_url: Type.String({ description: 'the page to return to' }),
  }),
  example: { page: 'pay', id: SAMPLE.funding_id, token: SAMPLE.page_token },
  access: 'public',
  faults: ['not_found'],
  run: async (read, address, ctx, ports) => {
    const page = await readSandboxPage(read, address, ctx, ports);
    if (!page) return fault('not_found');
    const back = { pay: 'wallet', plan: 'billing', payee: 'payouts' }[address.page];
    return { ...page, back_url: `${ctx.settings.app_url}/${back}` };
  },
});
