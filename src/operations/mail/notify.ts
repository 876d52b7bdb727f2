// Sends letters about events that reached the person in no other way, by the current preferences of the person. Events that
// the agent or the person has read or answered meanwhile, or that are over, are left out.
import { type Static, Type } from 'typebox';
import { type Effect, insert, patch } from '../../../db/effects.ts';
import { wholeThread } from '../../../db/queries/conversation.ts';
import { dealById } from '../../../db/queries/deal.ts';
import { eventsToTell } from '../../../db/queries/mail.ts';
import { acceptedByHooks } from '../../../db/queries/webhook.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { InboxEvent, Read } from '../../../db/store.ts';
import type { Ctx } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import type { LoadPorts } from '../../contract/ports.ts';
import { fault } from '../../domain/fault.ts';
import { type EventKind, isOver } from '../../domain/inbox/event.ts';
import { isUrgent, mailTime } from '../../domain/inbox/notification-settings.ts';
import { isWeakMatch } from '../../domain/inbox/wake.ts';
import { latestOf, letterPlan, letterTime } from '../../domain/mail/letter-plan.ts';
import { eventsLetter, matchLetter, threadLetter } from '../../outbound/mailer/letters.ts';
import type { Mail } from '../../outbound/mailer/mail.ts';
import { letterWords } from '../../outbound/mailer/words/words.ts';
import { notificationView } from '../../schemas/notification.ts';
import { sendLetter } from '../../steps/letter.ts';
import {
  type AskedLetter,
  type LetterFacts,
  letterId,
  NOTIFY,
  remindLetter,
  type Span,
} from '../../steps/mail/letter.ts';
import { replyAddress } from '../../steps/mail/reply-address.ts';
import { letterFacts } from '../../steps/mail/target.ts';
import { unsubscribeBy } from '../../steps/mail/unsubscribe.ts';
import { unremindRead } from '../../steps/reminder.ts';

/** Events of one run; the next run, after a pause, takes the rest. */
const EVENTS_MAX = 50;
/** Ten webhooks may have accepted each of them. */
const ACCEPTED_MAX = 500;

type Told = InboxEvent & { readonly kind: EventKind; readonly subject: string | null };

interface State extends LetterFacts {
  readonly to: string;
  /** Other due letters, which are merged into these. */
  readonly others: readonly AskedLetter[];
  readonly events: readonly Told[];
  /** Where the next run begins; null when these are all. */
  readonly more_from: number | null;
  readonly subjects: ReadonlyMap<string, string>;
  /** The seqs of events that ended before a letter. */
  readonly over: ReadonlySet<number>;
  /** The ids of events that a webhook accepted after a letter about an earlier one was postponed. */
  readonly accepted: ReadonlySet<string>;
}

/** The events of a span that no letter has told of yet. */
async function eventsIn(read: Read, agent_id: string, span: Span, seen: number): Promise<Told[]> {
  // A postponed single event ignores the mark of later letters.
  const after = span.through === null ? Math.max(span.from - 1, seen) : span.from - 1;
  const limit = span.through === null ? EVENTS_MAX : span.through - after;
  if (limit <= 0) return [];
  // Only kinds of the catalogue are written.
  return (await read(eventsToTell, { agent_id, after, limit })) as Told[];
}

/** Whether the event asks for the payment of a deal that no longer needs one. */
async function isSettled(read: Read, { kind, data }: Told): Promise<boolean> {
  const id = data['deal_id'];
  if (kind !== 'payment.failed' || typeof id !== 'string') return false;
  const deal = await read.peek(dealById, { id });
  return deal === null || deal.status !== 'open' || deal.escrow_id !== null;
}

async function gather(read: Read, { agent, asked, mark }: LetterFacts, own: Span, now_ms: number) {
  // The run itself ends its own reminder.
  const self = letterId(agent.id, own.through);
  const others = asked.filter(({ id, due }) => id !== self && due <= now_ms);
  const spans = [own, ...others];
  const found = await Promise.all(spans.map((span) => eventsIn(read, agent.id, span, mark?.seen ?? 0)));
  const bySeq = new Map(found.flat().map((event) => [event.seq, event]));
  const events = [...bySeq.values()].sort((a, b) => a.seq - b.seq);
  const full = found.find((each, at) => spans[at]?.through === null && each.length === EVENTS_MAX);
  const last = full?.at(-1);
  return { others, events, more_from: last ? last.seq + 1 : null };
}

/** The time part of an id; logs of an event are not older than it. */
const TIME_CHARS = 13;

async function acceptedOf(read: Read, agent_id: string, events: readonly Told[]): Promise<Set<string>> {
  const [first, second] = events;
  // No webhook accepted the event that the letter is for.
  if (!first || !second) return new Set();
  const from = first.id.slice(0, TIME_CHARS);
  const logs = await read.peek(acceptedByHooks, { agent_id, from, limit: ACCEPTED_MAX });
  return new Set(logs.map(({ event_id }) => event_id));
}

/** The subjects of conversations; most are part of their events. */
async function subjectsOf(read: Read, events: readonly Told[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [id, [first]] of letterPlan(events).threads) {
    const subject = first?.subject ?? (await read.peek(wholeThread, { id, limit: 1 }))?.conversation.subject;
    if (subject !== undefined) found.set(id, subject);
  }
  return found;
}

async function stateOf(read: Read, agent_id: string, own: Span, ctx: Ctx, ports: LoadPorts): Promise<State | null> {
  const facts = await letterFacts(read, ports, agent_id);
  if (!facts?.to || facts.agent.deactivated_at !== null) return null;
  const found = await gather(read, facts, own, ctx.now_ms);
  const settled = await Promise.all(found.events.map((event) => isSettled(read, event)));
  const over = new Set(found.events.filter((event, at) => settled[at] || isPast(event)).map(({ seq }) => seq));
  const accepted = await acceptedOf(read, agent_id, found.events);
  return { ...facts, to: facts.to, ...found, over, accepted, subjects: await subjectsOf(read, found.events) };
}

/** Whether the event can no longer be answered, such as a replaced proposal. Disputes are always told. */
const isPast = (event: Told): boolean => event.kind !== 'escrow.dispute_opened' && isOver(event);

/** Whether the event is news to the person and needs a letter. */
function isNews(
  { agent, hasRead, streaming, over, accepted }: State,
  { id, kind, seq, data, answered }: Told,
): boolean {
  if (accepted.has(id) || answered !== null || over.has(seq) || hasRead.person(seq)) return false;
  if (isWeakMatch(agent.wake, kind, data)) return false;
  return isUrgent(kind) || !(streaming || hasRead.agent(seq) || (agent.wake.mute ?? []).includes(kind));
}

/** The letters about events, with the effects that must commit with them. */
function letterEffects(
  { agent, to, language, settings: wants, subjects }: State,
  events: readonly Told[],
  ctx: Ctx,
): Effect<never>[] {
  const { settings } = ctx;
  const words = letterWords(language);
  const entry = (event: Told) => notificationView(event, false, settings, language, wants.quiet_hours?.tz);
  const mailed = (mail: Omit<Mail, 'id' | 'to'>): Effect<never> =>
    sendLetter({ channel: 'mail', to, ...unsubscribeBy(agent.account_id, 'events', ctx), ...mail }, ctx);
  const { threads, matches, rest } = letterPlan(latestOf(events));
  const effects = [...threads].flatMap(([conversation_id, news]) => {
    const { fields, effects: kept } = replyAddress(ctx, agent, { conversation_id });
    const url = `${settings.app_url}/conversations/${conversation_id}`;
    const letter = threadLetter(agent.handle, subjects.get(conversation_id) ?? '', news.map(entry), url, words);
    return [mailed({ ...letter, ...fields }), ...kept];
  });
  for (const [match_id, news] of matches) {
    const { fields, effects: kept } = replyAddress(ctx, agent, { match_id });
    const letter = matchLetter(agent.handle, news.map(entry), `${settings.app_url}/matches/${match_id}`, words);
    effects.push(mailed({ ...letter, ...fields }), ...kept);
  }
  if (rest.length === 0) return effects;
  const letter = eventsLetter(agent.handle, rest.map(entry), `${settings.app_url}/notifications`, words);
  return [...effects, mailed(letter)];
}

const Notified = Type.Object({ told: Type.Integer() });

/** Compares the mark with the one read: of two letters about one agent, the later tells the rest. */
function compareMark({ agent, mark }: State, set: Pick<Row<'mail_marks'>, 'seen' | 'at'>): Effect<'conflict'> {
  if (mark) return patch('mail_marks', mark, set);
  return insert('mail_marks', { id: agent.id, ...set, version: 1 }, fault('conflict'));
}

function decideLetters(state: State, ctx: Ctx): { reply: Static<typeof Notified>; effects: Effect<'conflict'>[] } {
  const { agent, settings, mark, others, events, more_from } = state;
  const { now_ms } = ctx;
  const timed = events
    .filter((event) => isNews(state, event))
    .map((event) => ({ event, at: mailTime(settings, event.kind, now_ms, event.data) }));
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
      ...others.map(unremindRead),
      ...later,
      ...rest,
      compareMark(state, { seen, at: last }),
      ...letterEffects(state, now, ctx),
    ],
  };
}

export const mailNotify = command({
  ...NOTIFY,
  summary: 'Mail a person the events of their agent',
  output: Notified,
  effect: 'adds',
  open_world: true,
  access: 'internal',
  faults: ['conflict'],
  load: (read, { agent_id, from, through = null }, ctx, ports) =>
    stateOf(read, agent_id, { from, through }, ctx, ports),
  decide: (state, _input, ctx) => (state ? decideLetters(state, ctx) : { reply: { told: 0 } }),
});
