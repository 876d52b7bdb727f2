// The pages of the built-in processor: which row each is about, whether its address is the one that was given out, and what may
// still be decided on it.
import { timingSafeEqual } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { agentById } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { fundingById, payeeById, planCheckoutById, sandboxObject } from '../../../db/queries/processor.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { accountOfConnection, connectionName } from '../../domain/money/payout.ts';
import { SANDBOX_PAGE_MS, sandboxToken } from '../../outbound/processor/sandbox.ts';

/** The address of a page, taken apart. */
export const PAGE_ADDRESS = {
  page: Type.Enum(['pay', 'plan', 'payee']),
  id: Type.String({ minLength: 1, maxLength: 64 }),
  token: Type.String({ minLength: 1, maxLength: 64, description: 'an unguessable token, which is the credential' }),
};
const Address = Type.Object(PAGE_ADDRESS);
type Address = Static<typeof Address>;

export interface SandboxPageState {
  readonly state: 'open' | 'paid' | 'cancelled' | 'expired';
  readonly amount_cents: number;
  /** Whose it is: a handle, or an address. */
  readonly who: string;
}

interface Subject {
  readonly amount_cents: number;
  readonly who: string;
  readonly created_at: number;
  readonly ended: boolean;
  /** It can be left and come back to, for as long as it takes. */
  readonly stays: boolean;
}

function isGivenOut(ctx: Ctx, { page, id, token }: Address): boolean {
  const [right, given] = [sandboxToken(ctx.secrets.seal_key, page, id), token].map((text) => Buffer.from(text));
  return right !== undefined && given !== undefined && right.length === given.length && timingSafeEqual(right, given);
}

/** The connection of that name, while it is at this processor. */
async function connectionBy(read: Read, name: string): Promise<Row<'payees'> | null> {
  const row = await read(payeeById, { id: accountOfConnection(name) });
  return row?.processor === 'sandbox' && connectionName(row) === name ? row : null;
}

async function subjectOf(read: Read, { page, id }: Address): Promise<Subject | null> {
  if (page === 'pay') {
    const row = await read(fundingById, { id });
    if (!row) return null;
    const agent = await read.peek(agentById, { id: row.agent_id });
    const { amount_cents, created_at, ended_at } = row;
    return { amount_cents, who: agent ? `@${agent.handle}` : '', created_at, ended: ended_at !== null, stays: false };
  }
  const row = page === 'plan' ? await read(planCheckoutById, { id }) : await connectionBy(read, id);
  if (!row) return null;
  const account_id = 'account_id' in row ? row.account_id : row.id;
  const who = (await read.peek(accountById, { id: account_id }))?.email ?? '';
  const { created_at } = row;
  if (!('plan' in row)) return { amount_cents: 0, who, created_at, ended: row.payouts_enabled === 1, stays: true };
  return { amount_cents: row.price_cents, who, created_at, ended: row.ended_at !== null, stays: false };
}

/** The page of an address; null when there is none, or another processor is configured. */
export async function readSandboxPage(
  read: Read,
  address: Address,
  ctx: Ctx,
  { processor }: Pick<LoadPorts, 'processor'>,
): Promise<SandboxPageState | null> {
  if (processor?.name !== 'sandbox' || !isGivenOut(ctx, address)) return null;
  const subject = await subjectOf(read, address);
  if (!subject) return null;
  const decided = await read(sandboxObject, { id: address.id });
  const { amount_cents, who, created_at, ended, stays } = subject;
  const over = ended || (!stays && ctx.now_ms - created_at >= SANDBOX_PAGE_MS);
  return { state: decided?.decision ?? (over ? 'expired' : 'open'), amount_cents, who };
}
