// One step of a payout: asks its rail for the state, or performs the next action there. Nothing is stored here; a turn stores each
// answer before the next step (move.ts). A started action is searched for before it is started again, so that a lost answer causes
// no second transfer, even if the rail forgets our ids.
import type { Row } from '../../../db/schema/tables.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import type { Called, OutState, Processor } from '../../outbound/processor/processor.ts';

/**
 * What a look found. `transferred`: the payee holds the money, and the bank has not been asked yet. `waits`: nothing is to be done
 * now. `lost`: it did not arrive, and the payee holds it. `back`: no outside party holds the money. `unknown`: there was no
 * answer. `stuck`: the next step was refused.
 */
export type Found =
  | { readonly is: 'transferred'; readonly transfer_id: string }
  | { readonly is: 'waits'; readonly reason: string | null; readonly payout_id?: string; readonly taken: boolean }
  | { readonly is: 'arrived'; readonly payout_id: string }
  | { readonly is: 'lost' | 'back' | 'unknown' | 'stuck'; readonly reason: string };

type Payout = Row<'payouts'>;

/** By the wall clock. */
const CALL_MS = 20_000;
// Reasons are codes, those of the processor or these, worded when they are shown (payment.failed in domain/words).
const NO_ANSWER = 'no_answer';
const NOT_THERE_YET = 'not_released';
const NO_RAIL = 'switched_off';
/** How the built-in processor's names of payees begin, and no other's. */
const SANDBOX_NAME = 'sandbox_';
/** How the processor's port says that a balance is too small; of ours it is the reason as well. */
const INSUFFICIENT = 'insufficient';

const unknown = (reason: string): Found => ({ is: 'unknown', reason });

type Ask<T> = () => Promise<Called<T>>;

/** Finds what was made for a row, or makes it now. */
async function findOr<T>(find: Ask<T | null>, make: Ask<T>): Promise<Called<T>> {
  const found = await find();
  if (found.outcome !== 'done') return { outcome: 'unknown', reason: found.reason };
  return found.value === null ? make() : { outcome: 'done', value: found.value };
}

function rowOf({ id, transfer_id, created_at }: Payout) {
  return { id, external_id: transfer_id, created_at };
}

async function toPayee(processor: Processor, payout: Payout): Promise<Found> {
  const { id, payee, amount_cents } = payout;
  const called = await findOr(
    () => processor.findTransfer(rowOf(payout)),
    () => processor.transfer({ id, payee, amount_cents }),
  );
  if (called.outcome === 'unknown') return unknown(called.reason);
  if (called.outcome === 'refused') {
    const isShort = called.reason === INSUFFICIENT;
    return isShort ? { is: 'waits', reason: INSUFFICIENT, taken: false } : { is: 'back', reason: called.reason };
  }
  const { status, external_id, reason } = called.value;
  if (status === 'failed' || status === 'reversed') return { is: 'back', reason: reason ?? 'transfer_failed' };
  return { is: 'transferred', transfer_id: external_id };
}

function ofBank({ status, external_id, reason }: OutState): Found {
  if (status === 'paid') return { is: 'arrived', payout_id: external_id };
  if (status === 'pending') return { is: 'waits', reason: null, payout_id: external_id, taken: true };
  return { is: 'lost', reason: reason ?? 'declined' };
}

async function toBank(processor: Processor, payout: Payout): Promise<Found> {
  const { id, payee, amount_cents, payout_id } = payout;
  const find: Ask<OutState | null> = () => processor.findPayout({ ...rowOf(payout), external_id: payout_id, payee });
  if (payout_id !== null) {
    const found = await find();
    if (found.outcome !== 'done') return unknown(found.reason);
    return found.value ? ofBank(found.value) : unknown('unknown_payout');
  }
  const called = await findOr(find, () => processor.payOut({ id, payee, amount_cents }));
  if (called.outcome === 'unknown') return unknown(called.reason);
  if (called.outcome === 'done') return ofBank(called.value);
  const isShort = called.reason === INSUFFICIENT;
  return isShort ? { is: 'waits', reason: NOT_THERE_YET, taken: true } : { is: 'lost', reason: called.reason };
}

/** Reverses the transfer before the wallet is credited. */
async function fromPayee(processor: Processor, payout: Payout): Promise<Found> {
  const reason = payout.reason ?? 'not_arrived';
  const found = await processor.findTransfer(rowOf(payout));
  if (found.outcome !== 'done') return unknown(found.reason);
  if (found.value?.status === 'reversed' || found.value?.status === 'failed') return { is: 'back', reason };
  const transfer_id = payout.transfer_id ?? found.value?.external_id;
  if (transfer_id === undefined) return { is: 'back', reason };
  const called = await processor.reverseTransfer({ id: payout.id, transfer_id });
  if (called.outcome === 'unknown') return unknown(called.reason);
  if (called.outcome === 'refused') return { is: 'stuck', reason: called.reason };
  return called.value.status === 'reversed' ? { is: 'back', reason } : { is: 'waits', reason, taken: true };
}

/** Whether a payout's payee is one of this processor's. A service whose processor was changed asks the new one nothing of the old
 * one's payouts, and hands it none of them: they wait with `needs_action` until the old one is back. */
function knows({ name }: Pick<Processor, 'name'>, { payee }: Payout): boolean {
  return payee.startsWith(SANDBOX_NAME) === (name === 'sandbox');
}

async function lookAtBank(processor: Processor, payout: Payout): Promise<Found> {
  if (!knows(processor, payout)) return unknown(NO_RAIL);
  if (payout.status === 'failed') return fromPayee(processor, payout);
  return payout.transfer_id === null ? toPayee(processor, payout) : toBank(processor, payout);
}

async function lookAtChain(chain: NonNullable<FlowPorts['chain']>, payout: Payout): Promise<Found> {
  const { id, payee, amount_cents, created_at } = payout;
  const to_address = payout.to_address ?? '';
  const submitted_at = payout.submitted_at ?? created_at;
  const called = await findOr(
    () => chain.findTransfer({ id, to_address, submitted_at }),
    () => chain.transfer({ id, chain: payee, to_address, amount_cents }),
  );
  if (called.outcome === 'unknown') return unknown(called.reason);
  if (called.outcome === 'refused') return { is: 'back', reason: called.reason };
  const { status, external_id, reason } = called.value;
  if (status === 'pending') return { is: 'waits', reason: null, payout_id: external_id, taken: true };
  if (status === 'finalized') return { is: 'arrived', payout_id: external_id };
  return { is: 'back', reason: reason ?? 'transfer_failed' };
}

/** Asks the payout's rail, or does there what comes next. */
export async function lookAt(payout: Payout, ports: Pick<FlowPorts, 'processor' | 'chain' | 'tasks'>): Promise<Found> {
  const { processor, chain, tasks } = ports;
  const rail = payout.rail === 'bank' ? processor : chain;
  if (!rail) return unknown(NO_RAIL);
  const work = async (): Promise<Found> => {
    if (payout.rail === 'bank') return processor ? lookAtBank(processor, payout) : unknown(NO_RAIL);
    return chain ? lookAtChain(chain, payout) : unknown(NO_RAIL);
  };
  const found = await tasks.call({ hosts: [`money:${rail.name}`], deadline_ms: CALL_MS, work });
  return found ?? unknown(NO_ANSWER);
}
