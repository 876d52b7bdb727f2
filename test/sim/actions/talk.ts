// What people do with their matches, conversations and inboxes.
import { DAY_MS } from '../../../src/domain/time.ts';
import type { Person } from '../person.ts';
import { type Action, actingOf, type Planned } from '../planned.ts';
import type { Sim } from '../sim.ts';
import { someHandle } from './agents.ts';
import { items } from './listings.ts';

const ACTIONS = ['interested', 'interested', 'interested', 'not_a_fit', 'saved', 'marry', 'approve', 'reject'];
const REASONS = ['price', 'timing', 'because I say so'];

interface Acting {
  readonly acting: Pick<Planned, 'as'> & { readonly agent: string };
  readonly agent_id: string;
}

function actingWithId(sim: Sim, person: Person): Acting | null {
  const acting = actingOf(sim, person);
  const agent_id = person.agents.find(({ handle }) => handle === acting?.agent)?.id;
  return acting && agent_id !== undefined ? { acting, agent_id } : null;
}

/** A call about one of the agent's own things, found by a query over its id. */
const about =
  (sql: string, plan: (sim: Sim, id: string) => Omit<Planned, 'as' | 'agent'>): Action =>
  (sim, person) => {
    const own = actingWithId(sim, person);
    const id = own && sim.choose.maybe(sim.db.column(sql, own.agent_id));
    return own && id ? { ...own.acting, ...plan(sim, id) } : null;
  };

const MATCHES = 'SELECT match_id FROM matches WHERE ?1 IN (offer_agent_id, seek_agent_id) ORDER BY match_id DESC';
const THREADS = 'SELECT id FROM conversations WHERE ?1 IN (opener_id, other_id) ORDER BY id DESC';
const EVENTS = 'SELECT id FROM events WHERE agent_id = ? ORDER BY awaiting DESC, seq DESC LIMIT 12';
const LISTINGS_OF = 'SELECT id FROM listings WHERE agent_id = ? ORDER BY id';

const MEETINGS = `SELECT m.conversation_id || ' ' || m.id FROM meetings m JOIN conversations c ON c.id = m.conversation_id
  WHERE ?1 IN (c.opener_id, c.other_id) ORDER BY m.id DESC`;

const TURNS = `SELECT conversation_id || ' ' || id FROM turns WHERE agent_id = ?1 ORDER BY id DESC LIMIT 12`;
const PROPOSALS = `SELECT conversation_id || ' ' || id || ' ' || number FROM proposals WHERE ?1 IN (buyer_id, seller_id)
  ORDER BY status = 'open' AND CASE ?1 WHEN buyer_id THEN buyer_at ELSE seller_at END IS NULL DESC, id DESC LIMIT 3`;

const SENT = 'SELECT coalesce(client_id, id) FROM tasks WHERE sender_id = ?1 ORDER BY id DESC LIMIT 12';
const TASKS = `SELECT CASE sender_id WHEN ?1 THEN coalesce(client_id, id) ELSE id END FROM tasks
  WHERE ?1 IN (sender_id, target_id) ORDER BY id DESC LIMIT 12`;

const thread = (plan: (sim: Sim) => Omit<Planned, 'as' | 'agent'>): Action =>
  about(THREADS, (sim, conversation_id) => ({ path: { conversation_id }, ...plan(sim) }));

const plain =
  (plan: (sim: Sim) => Omit<Planned, 'as' | 'agent'> = () => ({})): Action =>
  (sim, person) => {
    const acting = actingOf(sim, person);
    return acting && { ...acting, ...plan(sim) };
  };

const page = (sim: Sim): { query: Record<string, number> } => ({ query: { limit: 1 + sim.choose.below(20) } });

const pull = (sim: Sim): { query: Record<string, number | boolean> } => ({
  query: {
    after: sim.choose.below(12),
    limit: 1 + sim.choose.below(30),
    ...(sim.choose.chance(0.2) && { peek: true }),
  },
});

const answer = (sim: Sim): Record<string, unknown> => ({
  action: sim.choose.pick(ACTIONS),
  ...(sim.choose.chance(0.2) && { reason: sim.choose.pick(REASONS) }),
  ...(sim.choose.chance(0.2) && { note: 'so be it' }),
});

/** A task for somebody, under an id of its sender's now and then, or one more message of an earlier one. */
const sendTask: Action = (sim, person) => {
  const own = actingWithId(sim, person);
  if (!own) return null;
  const parts = [{ kind: 'text', text: `task ${sim.choose.bits()}` }];
  const sent = sim.choose.maybe(sim.db.column(SENT, own.agent_id));
  if (sent && sim.choose.chance(0.3)) return { ...own.acting, body: { task_id: sent, parts } };
  const id = sim.choose.chance(0.3) ? { task_id: `mine ${sim.choose.below(4)}`, dialect: '0.2' } : {};
  const target_handle = sim.choose.chance(0.1) ? 'concierge' : someHandle(sim);
  const push_config = sim.choose.chance(0.3) && { push_config: { id: 'push 0', url: 'https://hook.example/push' } };
  return { ...own.acting, body: { target_handle, parts, ...id, ...push_config } };
};

export const TALK: Readonly<Record<string, Action>> = {
  'analytics.read': plain(),
  'match.feed': plain(),
  'match.list': (sim, person) => {
    const acting = actingOf(sim, person);
    return acting && { ...acting, path: { handle: acting.agent }, ...page(sim) };
  },
  'match.run': (sim, person) => {
    const own = actingWithId(sim, person);
    const listing_id = own && sim.choose.maybe(sim.db.column(LISTINGS_OF, own.agent_id));
    const one = listing_id && sim.choose.chance(0.4) ? { listing_id } : {};
    return own && { ...own.acting, body: { ...one, limit: 1 + sim.choose.below(20) } };
  },
  'match.summary': about(MATCHES, (_sim, match_id) => ({ path: { match_id } })),
  'match.explain': about(MATCHES, (_sim, match_id) => ({ body: { match_id } })),
  'match.feedback': about(MATCHES, (sim, match_id) => ({ body: { match_id, ...answer(sim) } })),
  'onboarding.questions': plain(),
  'onboarding.status': plain(),
  'onboarding.intake': plain((sim) => ({
    body: {
      offers: items(sim, false),
      seeks: items(sim, true),
      ...(sim.choose.chance(0.5) && { headline: 'Out of the intake' }),
      ...(sim.choose.chance(0.4) && { wake: { min_match_score: sim.choose.below(120), mute: ['match.created'] } }),
      ...(sim.choose.chance(0.1) && { webhook_url: sim.choose.pick(['https://hook.example/x', 'http://10.0.0.1/']) }),
    },
  })),
  'conversation.list': plain((sim) => ({
    query: { ...page(sim).query, ...(sim.choose.chance(0.3) && { status: 'open' }) },
  })),
  'conversation.read': thread(() => ({})),
  'conversation.start': plain((sim) => ({ body: { handle: someHandle(sim), content: `hello ${sim.choose.bits()}` } })),
  'conversation.close': (sim, person) =>
    sim.choose.chance(0.3) ? thread(() => ({ body: { reason: 'found another' } }))(sim, person) : null,
  'meeting.schedule': thread((sim) => ({
    body: {
      starts_at: new Date(sim.clock.now() + (sim.choose.below(60) - 1) * 60_000).toISOString(),
      duration_minutes: 1 + sim.choose.below(90),
      ...(sim.choose.chance(0.5) && { url: sim.choose.pick(['https://meet.example/x', 'ftp://meet.example/']) }),
    },
  })),
  'meeting.complete': about(MEETINGS, (_sim, ids) => {
    const [conversation_id = '', meeting_id = ''] = ids.split(' ');
    return { path: { conversation_id, meeting_id } };
  }),
  'meeting.list': thread(page),
  'proposal.propose': thread((sim) => {
    const [half, rest] = [1 + sim.choose.below(400), 1 + sim.choose.below(400)];
    const milestones = [half, rest].map((amount_cents, n) => ({ title: `part ${n}`, amount_cents }));
    return {
      body: {
        amount_cents: half + rest,
        ...(sim.choose.chance(0.7) && { side: sim.choose.pick(['buyer', 'seller']) }),
        ...(sim.choose.chance(0.3) && { milestones }),
        ...(sim.choose.chance(0.3) && { terms: `terms ${sim.choose.bits()}` }),
        ...(sim.choose.chance(0.3) && { issues: [{ issue: 'days_to_deliver', value: sim.choose.below(40) }] }),
      },
    };
  }),
  'proposal.approve': about(PROPOSALS, (sim, ids) => {
    const [conversation_id = '', proposal_id = '', version = '1'] = ids.split(' ');
    const named = sim.choose.chance(0.6) && { proposal_id, version: Number(version) };
    return { path: { conversation_id }, body: { ...named, decision: sim.choose.chance(0.8) ? 'approve' : 'reject' } };
  }),
  'proposal.list': plain((sim) => ({ query: { ...page(sim).query, waiting: sim.choose.chance(0.5) } })),
  'conversation.advance': thread((sim) => ({
    body: sim.choose.chance(0.1) ? { instruction: sim.choose.pick(['stop', 'Say that blue is best.']) } : {},
  })),
  'conversation.why': about(TURNS, (_sim, ids) => {
    const [conversation_id = '', message_id = ''] = ids.split(' ');
    return { path: { conversation_id, message_id } };
  }),
  'message.list': thread(page),
  'message.send': thread((sim) => ({ body: { content: `message ${sim.choose.bits()}` } })),
  'task.send': sendTask,
  'task.get': about(TASKS, (_sim, task_id) => ({ query: { task_id } })),
  'push_config.create': about(TASKS, (sim, task_id) => {
    const id = `push ${sim.choose.below(3)}`;
    const url = sim.choose.chance(0.9) ? 'https://hook.example/push' : 'https://10.0.0.1/';
    return { body: { task_id, config: { ...(sim.choose.chance(0.7) && { id }), url, token: 'a token' } } };
  }),
  'push_config.read': about(TASKS, (_sim, task_id) => ({ query: { task_id } })),
  'push_config.list': about(TASKS, (_sim, task_id) => ({ query: { task_id } })),
  'push_config.delete': about(TASKS, (sim, task_id) => ({
    body: { task_id, config_id: `push ${sim.choose.below(3)}` },
  })),
  'task.list': plain(page),
  'task.cancel': about(SENT, (_sim, task_id) => ({ body: { task_id } })),
  'task.follow': about(TASKS, (sim, task_id) => ({ path: { task_id }, query: { after: sim.choose.below(5) } })),
  'inbox.pull': plain(pull),
  'inbox.recent': plain((sim) => ({ query: { limit: 1 + sim.choose.below(50) } })),
  'inbox.respond': about(EVENTS, (sim, event_id) => ({ path: { event_id }, body: answer(sim) })),
  'inbox.stream': plain((sim) => ({ query: { after: sim.choose.below(10) } })),
  'inbox.view': (sim, person) => {
    const acting = actingOf(sim, person);
    const older = { since: new Date(sim.clock.now() - DAY_MS).toISOString() };
    return (
      acting && {
        as: acting.as,
        path: { handle: acting.agent },
        query: sim.choose.chance(0.5) ? older : pull(sim).query,
      }
    );
  },
};
