// A dry run: a call with all checks and no effects (rules.md 8). It returns the transfers with their fees, or the refusal by the gate,
// the decision, or the store. Nothing is committed, and nothing is stored for a repeated Idempotency-Key.
import type { Static } from 'typebox';
import { agentById } from '../../db/queries/agent.ts';
import { guardedBalance } from '../../db/queries/ledger.ts';
import { rehearse } from '../../db/rehearsal.ts';
import { CONFLICT } from '../../db/run-effects.ts';
import type { Decision, Read } from '../../db/store.ts';
import type { Ctx } from '../contract/context.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { LoadPorts } from '../contract/ports.ts';
import { type Fault, fault, invalid, isFault } from '../domain/fault.ts';
import type { Proceeds } from '../domain/money/fee.ts';
import { type Account, isGuarded, type Post, type Transfer } from '../domain/money/ledger.ts';
import { NO_NOTES } from '../domain/notes.ts';
import { DryRun } from '../schemas/money.ts';
import { type Answer, type Call, Reply, Unreadable } from './call.ts';

/** How often a dry run looks again when what it read changes under it. */
const TRIES_MAX = 5;

/** Whether a call asks only what it would do. */
export function asksDryRun({ operation, input }: Pick<Call, 'operation' | 'input'>): boolean {
  return operation.dry_run === true && !(input instanceof Unreadable) && input['dry_run'] === true;
}

/** The refusal of a dry run for a mutation without one: ignoring `dry_run` like other unknown fields would perform a call that was
 * meant as a test. */
export function dryRunProblem(operation: AnyOperation, input: Record<string, unknown>): Fault | null {
  const mutates = (operation.kind === 'command' || operation.kind === 'flow') && !operation.safe;
  if (!mutates || input['dry_run'] === undefined) return null;
  const declared = (operation.input as { properties?: object }).properties ?? {};
  if ('dry_run' in declared) return null;
  return invalid({ path: 'dry_run', message: 'this call has no dry run; leave it out to make the call' });
}

/** An account as its reader knows it: wallets by the handles of their agents, an escrow that is there by its id. */
async function nameOf(read: Read['peek'], account: Account): Promise<string> {
  if (!isGuarded(account)) return account;
  const [kind = '', id = ''] = account.split(':');
  if (kind === 'escrow') return (await read(guardedBalance, { id: account })) ? account : kind;
  const agent = await read(agentById, { id });
  return agent ? `${kind}:${agent.handle}` : kind;
}

/** The net postings of transfers by account. */
async function postingsOf(
  read: Read['peek'],
  transfers: readonly Transfer[],
): Promise<Static<typeof DryRun>['postings']> {
  const net = new Map<Account, number>();
  for (const { debit, credit, amount_cents } of transfers) {
    net.set(debit, (net.get(debit) ?? 0) - amount_cents);
    net.set(credit, (net.get(credit) ?? 0) + amount_cents);
  }
  const moved = [...net].filter(([, cents]) => cents !== 0);
  return Promise.all(moved.map(async ([account, cents]) => ({ account: await nameOf(read, account), cents })));
}

function feesOf(posts: readonly Post[]): Static<typeof DryRun>['fees'] {
  return posts.flatMap(({ journal, transfers }) =>
    transfers
      .filter(({ credit }) => credit === 'platform_fees')
      .map(({ amount_cents }) => ({
        what: journal.kind === 'hold_settle' ? 'router_fee' : 'outcome_fee',
        cents: amount_cents,
      })),
  );
}

/** Fee and net of what would move. Of money that only goes into escrow they are what the reply says a release would take. */
function proceedsIn(posts: readonly Post[], decision: Decision<unknown>): Proceeds {
  const transfers = posts.flatMap((post) => post.transfers);
  const reply = isFault(decision) ? null : decision.reply;
  if (transfers.some(({ credit }) => credit.startsWith('escrow:')) && isPriced(reply)) {
    return { fee_cents: reply.fee_cents, net_cents: reply.net_cents };
  }
  const [fees, rest] = [true, false].map((isFee) =>
    transfers.reduce(
      (sum, { credit, amount_cents }) => sum + ((credit === 'platform_fees') === isFee ? amount_cents : 0),
      0,
    ),
  );
  return { fee_cents: fees ?? 0, net_cents: rest ?? 0 };
}

function isPriced(reply: unknown): reply is Proceeds {
  return typeof reply === 'object' && reply !== null && 'fee_cents' in reply && 'net_cents' in reply;
}

function refusalOf(refusal: Fault | null): Static<typeof DryRun>['refusal'] {
  return refusal && { error: refusal.fault, message: refusal.message, ...refusal.data };
}

/** The call, its input checked, and the gate that it does not pass. */
interface Asked {
  readonly operation: AnyOperation;
  readonly input: Record<string, unknown>;
  readonly ctx: Ctx;
  readonly gated: Fault | null;
}

/** The call's decision now. */
async function decided({ operation, input, ctx }: Asked, read: Read, ports: LoadPorts): Promise<Decision<unknown>> {
  if (operation.kind === 'command') return operation.decide(await operation.load(read, input, ctx, ports), input, ctx);
  const decision = operation.kind === 'flow' ? await operation.rehearsal?.(read, input, ctx) : undefined;
  if (decision === undefined) throw new Error(`${operation.name} has no dry run`);
  return decision;
}

async function told(asked: Asked, read: Read, ports: LoadPorts): Promise<Static<typeof DryRun>> {
  const { gated } = asked;
  for (let tries = 1; ; tries++) {
    const decision = await decided(asked, read, ports);
    const effects = isFault(decision) ? [] : (decision.effects ?? []);
    const stopped = isFault(decision) ? decision : await rehearse(read.peek, effects);
    if (stopped === CONFLICT && tries < TRIES_MAX) continue;
    const refusal = stopped === CONFLICT ? fault('conflict') : stopped;
    const posts = effects.filter((effect) => effect.do === 'post');
    const transfers = posts.flatMap((post) => post.transfers);
    return {
      dry_run: true,
      postings: await postingsOf(read.peek, transfers),
      fees: feesOf(posts),
      ...proceedsIn(posts, decision),
      refusal: refusalOf(gated ?? refusal),
    };
  }
}

/** The dry run's answer, with a shape of its own. */
export async function dryRun(asked: Asked, read: Read, ports: LoadPorts): Promise<Answer> {
  const reply = new Reply(await told(asked, read, ports));
  return { status: 'ok', reply, notes: NO_NOTES, replayed: false, output: DryRun };
}
