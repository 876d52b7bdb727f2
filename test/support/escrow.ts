// Two agents with money between them, for tests of escrows: a buyer with a full wallet and a key that spends, and a seller.
import { newAgent, type TestAgent } from './agents.ts';
import { keyWith } from './scene.ts';
import { readStoredRows } from './store.ts';
import type { TestAnswer, TestService } from './testbed.ts';
import { balanceOf, fundWallet } from './wallet.ts';

/** An agent that buys: `pays` is a key of it that may spend. */
export type Buyer = TestAgent & { readonly pays: string };

const FUNDS_CENTS = 10_000_000;
let names = 0;

/** A verified agent with a full wallet. */
export async function newBuyer(t: TestService, cents = FUNDS_CENTS): Promise<Buyer> {
  const agent = await newAgent(t, { handle: `buyer_${++names}`, verified: true, pro: true });
  if (cents > 0) await fundWallet(t, agent.id, cents);
  return {
    ...agent,
    pays: await keyWith(t, agent.email, ['payments:write', 'agents:read', 'deals:read', 'deals:write']),
  };
}

/** A verified agent that can be paid. */
export function newSeller(t: TestService, pro = false): Promise<TestAgent> {
  return newAgent(t, { handle: `seller_${++names}`, verified: true, pro });
}

/** Opens an escrow with parts of so many cents; answers its body. */
export async function open(
  t: TestService,
  buyer: Buyer,
  seller: Pick<TestAgent, 'handle'>,
  cents: readonly number[],
  more: Readonly<Record<string, unknown>> = {},
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever JSON came back.
): Promise<any> {
  const milestones = cents.map((amount_cents, n) => ({ title: `Part ${n}`, amount_cents }));
  const body = { seller_handle: seller.handle, milestones, ...more };
  const answer = await t.call('POST', '/api/wallet/escrow', { key: buyer.pays, body });
  if (answer.status !== 201)
    throw new Error(`opening an escrow answered ${said(answer)}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** What an answer says in short: `200`, `409 conflict`. */
export function said({ status, body }: TestAnswer): string {
  return `${status} ${body?.error ?? ''}`.trim();
}

/** How many journals there are: nothing moved while it stays. */
export async function journals(t: TestService): Promise<number> {
  const [row] = await readStoredRows(t.service.world.settings.data_dir, 'select count(*) as n from journals');
  return Number(row?.['n']);
}

/** What an agent's wallet holds. */
export function walletOf(t: TestService, { id }: Pick<TestAgent, 'id'>): Promise<number> {
  return balanceOf(t, `wallet:${id}`);
}
