// Makes the letters about what nothing but mail could tell: of all events since they were asked for, as their person's
// preferences stand now. What the agent or the person has read or answered meanwhile is not told.
import { type Static, Type } from 'typebox';
import { apply, type Effect, insert } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { wholeThread } from '../../../db/queries/conversation.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { eventsAfter, readsOf } from '../../../db/queries/inbox.ts';
import { askedLetters, mailMark } from '../../../db/queries/mail.ts';
import { notificationSettings } from '../../../db/queries/notification.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { InboxEvent, Read } from '../../../db/store.ts';
import type { EventKind } from '../../domain/event.ts';
import { readMarks } from '../../domain/inbox.ts';
import { letterPlan } from '../../domain/letter-plan.ts';
import { letterTime } from '../../domain/mail-pause.ts';
import { isUrgent, mailTime, type NotificationSettings } from '../../domain/notification-settings.ts';
import { eventsLetter, threadLetter } from '../../outbound/mailer/letters.ts';
import type { Mail } from '../../outbound/mailer/mail.ts';
import { settingsOf } from '../notification/settings.ts';
import { notificationView } from '../notification/view.ts';
import { type Ctx, command } from '../operation.ts';
import { Id } from '../schemas/wire.ts';
import { afterLetters, askedIn, letterId, remindLetter, type Span } from './letter-reminder.ts';
import { replyAddress } from './reply-address.ts';

/** What one run tells of; more is told by the next, after a pause. */
const EVENTS_MAX = 50;
/** Events that are told alone are few: a webhook that fails ten times is switched off. */
const ALONE_MAX = 50;

type Told = InboxEvent & { readonly kind: EventKind };

interface State {
  readonly agent: Row<'agents'>;
  readonly email: string;
  readonly settings: NotificationSettings;
  readonly mark: Row<'mail_marks'> | null;
  /** Other letters that are due, and are part of these. */
  readonly others: readonly Pick<Row<'reminders'>, 'id' | 'version'>[];
  readonly events: readonly Told[];
  /** Where the next run begins; null when these are all. */
  readonly more_from: number | null;
  readonly hasRead: { agent(seq: number): boolean; person(seq: number): boolean };
  readonly streaming: boolean;
  readonly subjects: ReadonlyMap<string, string>;
}

/** The events of a span that nobody was told of by letter yet. */
async function eventsIn(read: Read, agent_id: string, span: Span, seen: number): Promise<InboxEvent[]> {
  // A single event is told whatever was told since it was put off.
  const after = span.through === null ? Math.max(span.from - 1, seen) : span.from - 1;
  const limit = span.through === null ? EVENTS_MAX : span.through - after;
  return limit > 0 ? read(eventsAfter, { agent_id, after, limit }) : [];
}

async function gathered(read: Read, agent_id: string, own: Span, now_ms: number, seen: number) {
  const ids = { first: letterId(agent_id), end: afterLetters(agent_id) };
  const asked = await read(askedLetters, { ...ids, limit: ALONE_MAX });
  // Its own reminder is the run's to end.
  const self = letterId(agent_id, own.through ?? undefined);
  const due = asked.filter((reminder) => reminder.id !== self && askedIn(reminder).due <= now_ms);
  const spans = [own, ...due.map(askedIn)];
  const found = await Promise.all(spans.map((span) => eventsIn(read, agent_id, span, seen)));
  const bySeq = new Map(found.flat().map((event) => [event.seq, event]));
  const events = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
  const full = found.find((each, at) => spans[at]?.through === null && each.length === EVENTS_MAX);
  const last = full?.at(-1);
  // Only kinds of the catalogue are ever written.
  return { others: due, events: events as Told[], more_from: last ? last.seq + 1 : null };
}

async function stateOf(read: Read, agent_id: string, own: Span, ctx: Ctx): Promise<State | null> {
  const agent = await read.peek(agentById, { id: agent_id });
  if (!agent || agent.deactivated_at !== null) return null;
  const mark = await read(mailMark, { id: agent_id });
  const [account, settings, reads, { streaming }] = await Promise.all([
    read.peek(accountById, { id: agent.account_id }),
    read.peek(notificationSettings, { id: agent.account_id }),
    read(readsOf, { id: agent_id }),
    ctx.world.directory.presence(agent_id),
  ]);
  if (!account?.email) return null;
  const { others, events, more_from } = await gathered(read, agent_id, own, ctx.now_ms, mark?.seen ?? 0);
  const threads = await Promise.all(
    [...letterPlan(events).threads.keys()].map((id) => read.peek(wholeThread, { id, limit: 1 })),
  );
  return {
    agent,
    email: account.email,
    settings: settingsOf(settings),
    mark,
    others,
    events,
    more_from,
    hasRead: { agent: readMarks(reads?.ranges ?? ''), person: readMarks(reads?.noticed ?? '') },
    streaming,
    subjects: new Map(
      threads.flatMap((thread) => (thread ? [[thread.conversation.id, thread.conversation.subject]] : [])),
    ),
  };
}

/** Whether the event is news to the person, and no one else's to tell. */
function isNews({ agent, hasRead, streaming }: State, { kind, seq, answered }: Told): boolean {
  if (answered !== null || hasRead.person(seq)) return false;
  return isUrgent(kind) || !(streaming || hasRead.agent(seq) || (agent.wake.mute ?? []).includes(kind));
}

/** The letters about events as effects, each with what must commit beside it. */
function letters({ agent, email, subjects }: State, events: readonly Told[], ctx: Ctx): Effect<never>[] {
  const { settings } = ctx.world;
  const entry = (event: Told) => notificationView(event, false, settings);
  const send = (mail: Omit<Mail, 'id' | 'to'>): Effect<never> => {
    const id = ctx.id();
    const payload = { id, to: email, unsubscribe: `${settings.app_url}/notifications`, ...mail };
    return { do: 'send', id, channel: 'mail', payload, created_at: ctx.now_ms };
  };
  const { threads, rest } = letterPlan(events);
  const effects = [...threads].flatMap(([conversation_id, news]) => {
    const { fields, effects: kept } = replyAddress(ctx, agent, conversation_id);
    const url = `${settings.app_url}/conversations/${conversation_id}`;
    const letter = threadLetter(agent.handle, subjects.get(conversation_id) ?? '', news.map(entry), url);
    return [send({ ...letter, ...fields }), ...kept];
  });
  if (rest.length === 0) return effects;
  const letter = eventsLetter(agent.handle, rest.map(entry), `${settings.app_url}/notifications`);
  return [...effects, send(letter)];
}

const Notified = Type.Object({ told: Type.Integer() });

function decided(state: State, ctx: Ctx): { reply: Static<typeof Notified>; effects: Effect<never>[] } {
  const { agent, settings, mark, others, events, more_from } = state;
  const { now_ms } = ctx;
  const timed = events
    .filter((event) => isNews(state, event))
    .map((event) => ({ event, at: mailTime(settings, event.kind, now_ms) }));
  const now = timed.filter(({ at }) => at !== null && at <= now_ms).map(({ event }) => event);
  const later = timed.flatMap(({ event: { seq }, at }) =>
    at !== null && at > now_ms ? [remindLetter(agent.id, { from: seq, through: seq }, at, now_ms)] : [],
  );
  const seen = Math.max(mark?.seen ?? 0, events.at(-1)?.seq ?? 0);
  const last = now.length > 0 ? now_ms : (mark?.at ?? 0);
  const pause = letterTime(last, now_ms);
  const rest = more_from === null ? [] : [remindLetter(agent.id, { from: more_from, through: null }, pause, now_ms)];
  return {
    reply: { told: now.length },
    effects: [
      ...others.map(({ id, version }): Effect<never> => ({ do: 'unremind', id, version })),
      ...later,
      ...rest,
      insert('mail_marks', { id: agent.id, seen: 0, at: 0, version: 1 }, 'ignore'),
      apply('mail_marks', agent.id, () => ({ seen, at: last })),
      ...letters(state, now, ctx),
    ],
  };
}

export const mailNotify = command({
  name: 'mail.notify',
  summary: 'Mail a person what happened to their agent',
  input: Type.Object({
    agent_id: Id,
    from: Type.Integer({ minimum: 1 }),
    through: Type.Optional(Type.Integer({ minimum: 1 })),
    due: Type.Integer(),
  }),
  output: Notified,
  access: 'internal',
  faults: [],
  rest: [],
  load: (read, { agent_id, from, through = null }, ctx) => stateOf(read, agent_id, { from, through }, ctx),
  decide: (state, _input, ctx) => (state ? decided(state, ctx) : { reply: { told: 0 } }),
});
