// What people do with operations that have no action of their own here: they send the example of its declaration, in the
// name of one of their agents and about what is there. So a new operation is in the simulation from its first day.
import type { AnyOperation } from '../../../src/contract/operation.ts';
import { SAMPLE } from '../../../src/schemas/samples.ts';
import type { Person } from '../person.ts';
import { type Action, actingOf, type Credential, NO_CREDENTIAL, ownerOf, sessionOf } from '../planned.ts';
import type { Sim } from '../sim.ts';
import { someHandle } from './agents.ts';

/** Where the ids of a sample's kind are. */
const IDS = {
  [SAMPLE.listing_id]: 'SELECT id FROM listings ORDER BY id',
  [SAMPLE.match_id]: 'SELECT match_id FROM matches ORDER BY match_id',
  [SAMPLE.conversation_id]: 'SELECT id FROM conversations ORDER BY id',
  [SAMPLE.event_id]: 'SELECT id FROM events ORDER BY id',
  [SAMPLE.escrow_id]: 'SELECT id FROM escrows ORDER BY id',
  [SAMPLE.sold_escrow_id]: 'SELECT id FROM escrows ORDER BY id',
  [SAMPLE.deal_id]: 'SELECT id FROM deals ORDER BY id',
  [SAMPLE.action_id]: 'SELECT id FROM actions ORDER BY id DESC',
  [SAMPLE.agreed_deal_id]: 'SELECT id FROM deals ORDER BY id',
  [SAMPLE.subscription_id]: 'SELECT id FROM subscriptions ORDER BY id',
  [SAMPLE.paused_subscription_id]: 'SELECT id FROM subscriptions ORDER BY id',
  [SAMPLE.service_id]: "SELECT id FROM listings WHERE direction = 'offer' ORDER BY id",
  [SAMPLE.service_slug]: "SELECT id FROM listings WHERE direction = 'offer' ORDER BY id",
  [SAMPLE.webhook_id]: 'SELECT id FROM webhooks ORDER BY id',
} as const;

function caller({ access }: AnyOperation, sim: Sim, person: Person): Credential | null {
  if (access === 'public') return NO_CREDENTIAL;
  if (access === 'key') return ownerOf(sim, person);
  return access === 'session' ? sessionOf(sim, person) : { platform: true };
}

function stoodFor(value: unknown, sim: Sim, person: Person): unknown {
  if (value === SAMPLE.email) return person.email;
  if (value === SAMPLE.handle || value === SAMPLE.other_handle) return someHandle(sim);
  const ids = IDS[value as keyof typeof IDS];
  return ids === undefined ? value : (sim.choose.maybe(sim.db.column(ids)) ?? value);
}

/** Sends the operation's example. */
export function byExample(operation: AnyOperation): Action {
  const [binding] = operation.rest;
  if (!binding) throw new Error(`${operation.name} has neither an action nor an address`);
  return (sim, person) => {
    const acting = operation.agent === 'required' ? actingOf(sim, person, operation.access === 'session') : null;
    const as = acting?.as ?? caller(operation, sim, person);
    if (!as || (operation.agent === 'required' && !acting)) return null;
    const given = Object.entries(operation.example ?? {}).map(([name, value]) => [name, stoodFor(value, sim, person)]);
    const input: Record<string, string> = Object.fromEntries(given);
    if (binding.acting && acting) input[binding.acting] = acting.agent;
    const inPath = ([name]: readonly [string, unknown]): boolean => binding.path.includes(`{${name}}`);
    const path = Object.fromEntries(Object.entries(input).filter(inPath));
    const rest = Object.fromEntries(Object.entries(input).filter((field) => !inPath(field)));
    const reads = binding.method === 'GET' || binding.method === 'DELETE';
    return { as, agent: acting?.agent, path, ...(reads ? { query: rest } : { body: rest }) };
  };
}
