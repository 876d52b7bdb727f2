// The signed receipt of a payment, for its parties.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { query } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { Receipt } from '../../schemas/wallet.ts';
import { receiptedBy, receiptOf } from '../../steps/money/receipt.ts';

export const receiptRead = query({
  name: 'receipt.read',
  needed_by: 'an agent that has to prove a payment to a third party',
  noun: 'Receipts: signed statements of payments.',
  summary: 'Read the receipt of a payment',
  description:
    'For a payment between wallets (`send:<id>`), a purchase or escrow (`escrow:<id>`), its release (`release:<milestone>`), settlement or refund, and a charge; responses name it as `journal_id`. A compact JWS that anyone can verify with `/.well-known/jwks.json`; it names the newest seal of the ledger.',
  input: Type.Object({ journal_id: Type.String({ minLength: 1, maxLength: 120 }) }),
  output: Receipt,
  example: { journal_id: SAMPLE.journal_id },
  access: 'key',
  scope: 'agents:read',
  agent: 'required',
  faults: ['not_found'],
  rest: [{ method: 'GET', path: '/api/wallet/receipts/{journal_id}' }],
  tools: [{ name: 'mesh_get_receipt', title: 'Read the receipt of a payment', set: 'wallet', extension: true }],
  run: async (read, { journal_id }, ctx, { documents }) => {
    const receipted = await receiptedBy(read, journal_id, actor(ctx).id);
    if (!receipted) return fault('not_found');
    return { journal_id, receipt: await receiptOf(read, documents, receipted, ctx.settings.base_url) };
  },
});
