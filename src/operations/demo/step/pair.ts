// What the two persons of a demo pair do, as anybody would: they make agents, set bounds, switch autopilot on, publish, and deliver and
// release what their agents have agreed. All of it goes through the ordinary operations.
import { agentsOfAccount } from '../../../../db/queries/agent.ts';
import type { Outcome } from '../../../../db/store.ts';
import type { FlowCtx } from '../../../contract/context.ts';
import type { FlowPorts } from '../../../contract/ports.ts';
import {
  DEMO_FUNDS_CENTS,
  type DemoPair,
  type DemoSide,
  deliversNow,
  demoName,
  type PairState,
  releasesItself,
  TRADES,
  talksTooLong,
} from '../../../domain/demo.ts';
import { type Fault, fault, isFault } from '../../../domain/fault.ts';
import { hmac } from '../../../outbound/hash.ts';
import type { AgentPorts } from '../../../schemas/agent.ts';
import { loadAgent } from '../../../steps/agent/load.ts';
import { proveClaim } from '../../../steps/claim.ts';

type Ports = Pick<FlowPorts, 'demo'> & AgentPorts;
type Fields = Readonly<Record<string, unknown>>;

/** A refused step; its pair stops there. */
class Refused extends Error {
  readonly refusal: Fault;

  constructor(refusal: Fault) {
    super(`a demo step was refused: ${refusal.fault}`);
    this.refusal = refusal;
  }
}

function accepted(outcome: Outcome<unknown>): unknown {
  if (isFault(outcome)) throw new Refused(outcome);
  return outcome.reply;
}

/** Runs an operation as the person of a side; throws where it is refused. */
async function does(ports: Ports, side: DemoSide, operation: string, input: Fields): Promise<Fields> {
  return Object(accepted(await ports.demo.act(side, operation, input))) as Fields;
}

async function listOf(ports: Ports, side: DemoSide, operation: string, input: Fields): Promise<readonly Fields[]> {
  const items = accepted(await ports.demo.act(side, operation, input));
  return Array.isArray(items) ? (items as Fields[]) : [];
}

/** Handles that are tried where others have taken the first ones. */
const HANDLES_TRIED = 9;

/** The agent of a side, made unless an interrupted step has made it. */
async function withAgent(
  ctx: FlowCtx,
  ports: Ports,
  side: DemoSide,
  name: string,
  headline: string,
): Promise<DemoSide> {
  const [known] = await ctx.read(agentsOfAccount, { account_id: side.account_id });
  if (known) return { ...side, agent_id: known.id, handle: known.handle };
  for (let tried = 1; ; tried += 1) {
    const handle = tried === 1 ? name : `${name}_${tried}`;
    const profile = { handle, display_name: name.replaceAll('_', ' '), headline };
    const made = await ports.demo.act(side, 'agent.create', profile);
    if (!isFault(made)) return { ...side, agent_id: String(Object(made.reply).id), handle };
    if (made.fault !== 'handle_taken' || tried === HANDLES_TRIED) throw new Refused(made);
  }
}

/** Marks the agent as checked, since only agents with a proven person trade. */
async function prove(ctx: FlowCtx, ports: Ports, { agent_id }: DemoSide): Promise<void> {
  const id = agent_id ?? '';
  accepted(
    await ctx.turn({
      agent_id: id,
      attempt: async (read) => {
        const { agent, claims, facts } = await loadAgent(read, ports, id);
        if (!agent) return fault('not_found');
        const external_id = `checked|${hmac(ctx.secrets.code_key, `identity-check:demo:${id}`)}`;
        const proof = { provider: 'identity', external_id, replaces: true } as const;
        return { reply: null, effects: proveClaim(ctx, agent, { claims, facts }, proof).effects };
      },
    }),
  );
}

/** Bounds within which its agent agrees alone: more than any of the prices. */
const ALONE_CENTS = 200_000;

async function bind(ports: Ports, side: DemoSide, bounds: Fields): Promise<void> {
  await does(ports, side, 'agent.bounds', { ...bounds, auto_approve_below_cents: ALONE_CENTS });
  await does(ports, side, 'agent.update', { handle: side.handle, autopilot: true });
}

/** Pays play money into the wallet of a side. */
async function fund(ports: Ports, side: DemoSide): Promise<void> {
  const { checkout_url } = await does(ports, side, 'funding.start', { amount_cents: DEMO_FUNDS_CENTS });
  const [token, id] = new URL(String(checkout_url)).pathname.split('/').reverse();
  await does(ports, side, 'sandbox.decide', { page: 'pay', id, token, decision: 'pay' });
}

async function make(ctx: FlowCtx, ports: Ports, pair: DemoPair, now_ms: number): Promise<DemoPair> {
  const [, offer, seek, asks, pays] = TRADES[pair.trade] ?? ['', '', '', 0, 0];
  const seller = await withAgent(ctx, ports, pair.seller, demoName(pair.trade, 'seller'), offer);
  const buyer = await withAgent(ctx, ports, pair.buyer, demoName(pair.trade, 'buyer'), seek);
  for (const side of [seller, buyer]) await prove(ctx, ports, side);
  await bind(ports, seller, { min_charge_cents: Math.round(asks * 85) });
  await bind(ports, buyer, { max_pay_cents: pays * 100 });
  await fund(ports, buyer);
  return { ...pair, seller, buyer, state: 'ready', at: now_ms };
}

async function publish(ports: Ports, pair: DemoPair, now_ms: number): Promise<DemoPair> {
  const [label, offer, seek, asks, pays] = TRADES[pair.trade] ?? ['', '', '', 0, 0];
  const labels = [label];
  const selling = { card_type: 'selling', direction: 'offer', headline: offer, price_cents: asks * 100, labels };
  // Each has one counterparty, so there is nothing to compare.
  const wanted = { budget_cents: pays * 100, conditions: { decide_within_hours: 0 } };
  const buying = { card_type: 'buying', direction: 'seek', headline: seek, labels, ...wanted };
  await does(ports, pair.seller, 'listing.create', selling);
  await does(ports, pair.buyer, 'listing.create', buying);
  return { ...pair, state: 'listed', at: now_ms };
}

/** The buyer is interested in what it finds of its seller. */
async function meet(ports: Ports, pair: DemoPair, now_ms: number): Promise<DemoPair> {
  const found = await listOf(ports, pair.buyer, 'match.feed', {});
  const match = found.find(({ counterparty_handle }) => counterparty_handle === pair.seller.handle);
  if (!match) return pair;
  await does(ports, pair.buyer, 'match.feedback', { match_id: match['match_id'], action: 'interested' });
  return { ...pair, state: 'matched', at: now_ms };
}

/** How a deal stands now, which its watcher may have moved too; then what its persons would do next. */
async function follow(ports: Ports, pair: DemoPair, now_ms: number): Promise<DemoPair> {
  const [deal] = await listOf(ports, pair.buyer, 'deal.list', { limit: 1 });
  const escrow_id = deal?.['escrow_id'];
  if (!deal || typeof escrow_id !== 'string') return pair;
  const to = (state: PairState): DemoPair => {
    return { ...pair, state, at: now_ms, escrow_id, amount_cents: Number(deal['amount_cents']) };
  };
  if (deal['status'] === 'completed') return to('released');
  if (deal['status'] !== 'funded') return to('stopped');
  if (pair.state === 'matched') return to('funded');
  if (pair.state === 'funded') {
    if (!deliversNow(pair, now_ms)) return pair;
    const delivery = { url: 'https://example.org/delivery', description: 'As agreed.' };
    await does(ports, pair.seller, 'escrow.deliver', { escrow_id, milestone_index: 0, ...delivery });
    return to('delivered');
  }
  if (!releasesItself(pair, now_ms)) return pair;
  await does(ports, pair.buyer, 'escrow.release', { escrow_id, milestone_index: 0 });
  return to('released');
}

/** Refusals that another try may not meet. */
const PASSING: ReadonlySet<string> = new Set(['conflict', 'overloaded', 'storage_full', 'processor_unavailable']);

function stepOf(ctx: FlowCtx, ports: Ports, pair: DemoPair, now_ms: number): Promise<DemoPair> {
  if (pair.state === 'new') return make(ctx, ports, pair, now_ms);
  if (pair.state === 'ready') return publish(ports, pair, now_ms);
  return pair.state === 'listed' ? meet(ports, pair, now_ms) : follow(ports, pair, now_ms);
}

/** Takes a pair one step further. */
export async function advancePair(ctx: FlowCtx, ports: Ports, pair: DemoPair, now_ms: number): Promise<DemoPair> {
  if (talksTooLong(pair, now_ms)) return { ...pair, state: 'stopped', at: now_ms };
  try {
    return await stepOf(ctx, ports, pair, now_ms);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return PASSING.has(error.refusal.fault) ? pair : { ...pair, state: 'stopped', at: now_ms };
  }
}
