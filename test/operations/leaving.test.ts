// Who leaves in the same moment in which it pays: either it has left and pays nothing, or what it opened keeps it.
import { expect, test } from 'bun:test';
import { newAgent } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { fundWallet } from '../support/wallet.ts';

const t = sharedService();

test('an escrow and its buyer’s leaving are not both done', async () => {
  const seller = await newAgent(t, { handle: 'stays', verified: true });
  for (let round = 0; round < 10; round += 1) {
    const buyer = await newAgent(t, { handle: `leaves${round}`, verified: true });
    await fundWallet(t, buyer.id, 5_000);
    const body = { seller_handle: seller.handle, milestones: [{ title: 'A rope', amount_cents: 1_000 }] };
    const asked = { token: buyer.token, agent: buyer.handle };
    const open = (): Promise<{ status: number }> => t.call('POST', '/api/wallet/escrow', { ...asked, body });
    const leave = (): Promise<{ status: number }> => t.call('DELETE', `/api/agents/${buyer.handle}`, asked);
    const [first, second] = await Promise.all(round % 2 === 0 ? [open(), leave()] : [leave(), open()]);
    expect([first?.status, second?.status].filter((status) => (status ?? 0) < 300)).toHaveLength(1);
  }
});
