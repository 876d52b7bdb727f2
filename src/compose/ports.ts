// The ports of operations and of doors, out of the world: each part gets what contract/ports.ts names, each door what
// transports/door-ports.ts does, and no way to the rest.
import type { BackgroundTasks } from '../../actors/background-tasks.ts';
import { follow, watch, watchRow } from '../../actors/stream.ts';
import { apply, insert } from '../../db/effects.ts';
import type { Store } from '../../db/store.ts';
import type { AnyOperation } from '../contract/operation.ts';
import type { FlowPorts, LoadPorts, Ports, QueryPorts, StreamPorts } from '../contract/ports.ts';
import { platformAnswer } from '../operations/platform/answer.ts';
import type {
  MayUse,
  ModelPort,
  Negotiator,
  Question,
  ReadAnswer,
  Said,
  Use,
} from '../outbound/negotiator/negotiator.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { CHECK_NOTE, type CheckNote } from '../steps/money/ledger-standing.ts';
import type { DoorPorts } from '../transports/door-ports.ts';
import { demoPort } from './demo.ts';
import { examineService } from './doctor/examine.ts';
import { hostOf } from './host.ts';
import type { Parts } from './parts.ts';
import type { World } from './world.ts';

/** Read-only ports: they can neither change state nor make network calls. */
function loadPorts(
  { directory, routes, events, restored, embedder, processor, chain }: World,
  query: () => QueryPorts,
): LoadPorts {
  return {
    presence: (agent_id) => directory.presence(agent_id),
    presenceWith: (agent_id, row) => directory.presenceWith(agent_id, row),
    hasWorkingHook: (agent_id) => routes.hasWorkingHook(agent_id),
    events,
    restored,
    answer: async (read, ctx, asker, text) => {
      const answer = await platformAnswer.run(read, { text }, { ...ctx, agent: asker }, query());
      if (typeof answer !== 'string') throw new Error('the agent of the platform answers in words');
      return answer;
    },
    embedder: { model: embedder.model },
    processor: processor && { name: processor.name, hold_ms: processor.hold_ms },
    chain: chain && {
      name: chain.name,
      chains: chain.chains,
      addressProblem: (name, to_address) => chain.addressProblem(name, to_address),
    },
  };
}

/** The parts that are used unchanged. */
type Tellers = Pick<Parts, 'mailer' | 'log'>;

function queryPorts(world: World, load: LoadPorts, { log }: Tellers): QueryPorts {
  const { store, pages, short_handles, key_uses, requests, views, sessions, card_signer, documents, pushes } = world;
  const { supervisor, outbox, hosts, manual, cards, matcher } = world;
  return {
    ...load,
    manual,
    ledger: {
      check: async (now_ms) => {
        const checked = await store.checkLedger(now_ms);
        await noteCheck(store, { at_ms: now_ms, problems: checked.problems.length });
        return checked;
      },
    },
    agentsWith: (labels, before, limit) => matcher.agentsWith(labels, before, limit),
    pages,
    cards,
    short_handles,
    views: { note: (seen, by) => views.note(seen, by) },
    key_uses: { unwritten: (key_id) => key_uses.unwritten(key_id) },
    requests: { of: (key_id, now_ms) => requests.of(key_id, now_ms) },
    sessions: { jwks: () => sessions.jwks() },
    card_signer,
    documents,
    pushes: { public_key: pushes.public_key },
    hosts,
    host: hostOf(world, log),
    preview: (draft, limit, now_ms) => matcher.preview(draft, limit, now_ms),
    outbox: {
      list: async (to) => {
        // Letters that are made after an answer, such as sign-in links, may not be written yet.
        await supervisor.runDue();
        await world.waitForDispatch();
        return outbox.list(to);
      },
      newest: (to, limit) => outbox.newest(to, limit),
    },
  };
}

function streamPorts({ directory, restored }: World): StreamPorts {
  return {
    restored,
    follow: (agent_id, reader, replay, after) => follow(directory.actor(agent_id), reader, replay, after),
    watch: (agent_id, reader, replay, after) => watch(directory.actor(agent_id), reader, replay, after),
    watchRow: (row, reader, replay, after) => watchRow(directory.row_watch, row, reader, replay, after),
    onJoin: (account_id, joined) => directory.account_watch.listen(account_id, joined),
    markSeen: (agent_id) => directory.markSeen(agent_id),
  };
}

function flowPorts(world: World, load: LoadPorts, { mailer }: Tellers): FlowPorts {
  const { clock, tasks, dispatches, turns, http, dns, embedder, mails, sessions, delivery, matcher, speech } = world;
  const { processor, chain, documents, pushes, hosts, identity, restored } = world;
  return {
    ...load,
    restored,
    clock,
    tasks,
    turns,
    dispatches,
    http,
    tracer: world.tracer ?? null,
    dns,
    embedder,
    negotiator: world.negotiator && pooled(world.negotiator, world.model_calls),
    mails,
    mailer,
    processor,
    chain,
    documents,
    pushes,
    hosts,
    identity,
    sessions,
    speech,
    mayPush: () => delivery.mayPush(),
    templates: (card_type) => matcher.templates(card_type),
    settle: (made) => delivery.settle({ attempts: [made], effects: [] }),
    match: (ctx, listing_id, asked = {}) => matcher.match(ctx, listing_id, asked),
    explain: (ctx, listing_id) => matcher.explain(ctx, listing_id),
    sellers: (draft, limit) => matcher.sellers(draft, limit),
    clock_watch: world.clock_watch,
    doctor: { examine: (now_ms, fix) => examineService(world, now_ms, fix), checkFile: world.checkFile },
    advance: (ms) => world.advance(ms),
    demo: demoPort(world),
  };
}

/** The ports of operations. */
export function portsOf(world: World, tellers: Tellers): Ports {
  // Operations do not get the platform's token and the administrators (pipeline), the data folder (store), and the contact
  // (transports).
  const { internal_token: _token, admin_emails: _admins, data_dir: _place, ...rest } = world.settings;
  const { security_contact: _contact, ...settings } = rest;
  const load = loadPorts(world, () => query);
  const query = queryPorts(world, load, tellers);
  return { settings, load, query, stream: streamPorts(world), flow: flowPorts(world, load, tellers) };
}

/** The ports of transports. */
export function doorPortsOf(
  world: World,
  operations: readonly AnyOperation[],
  pipeline: Pipeline,
  { report, store_errors }: Pick<DoorPorts, 'report' | 'store_errors'>,
): DoorPorts {
  const {
    settings,
    addresses,
    clock,
    clock_watch,
    restored,
    secrets,
    documents,
    store,
    directory,
    delivery,
    loop,
    mails,
    manual,
    id,
    random,
  } = world;
  return {
    operations,
    pipeline,
    settings,
    addresses,
    clock,
    clock_watch,
    restored,
    secrets,
    documents,
    store,
    directory,
    delivery,
    loop,
    mails,
    manual,
    id,
    random,
    store_errors,
    tracer: world.tracer ?? null,
    report,
  };
}

/** The wait for the agent's question before this one included; the endpoint's own deadline is shorter. */
const WAIT_MS = 25_000;

function pooled(negotiator: Negotiator, pool: Pick<BackgroundTasks, 'call'>): ModelPort {
  const { model, cents_per_mtok } = negotiator;
  return {
    model,
    cents_per_mtok,
    rests: () => negotiator.rests(),
    askFor: async <T>(agent_id: string, question: Question, read: ReadAnswer<T>, may: MayUse): Promise<Said<T>> => {
      let allowed: Use = { requests: 0, tokens: 0 };
      const noted: MayUse = async (most, gone) => {
        const is_allowed = await may(most, gone);
        if (is_allowed) allowed = most;
        return is_allowed;
      };
      const work = (gone: AbortSignal): Promise<Said<T>> => negotiator.ask(question, read, noted, gone);
      const said = await pool.call({ hosts: [agent_id], deadline_ms: WAIT_MS, looks: true, work });
      // An aborted question may have been processed and is paid for all the same.
      return said ?? { value: null, failure: 'it gave no answer in time', answer: '', ...allowed };
    },
  };
}

/** Writes down how a check ended. */
async function noteCheck(store: Pick<Store, 'turn'>, { at_ms, problems }: CheckNote): Promise<void> {
  const value = { at_ms, problems };
  const effects = [
    insert('service_notes', { id: CHECK_NOTE, value }, 'ignore'),
    apply('service_notes', CHECK_NOTE, () => ({ value })),
  ];
  await store.turn({ attempt: async () => ({ reply: null, effects }) });
}
