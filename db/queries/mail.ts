// Reads of reply tokens, of the mails that came in and of the letters that are to leave.
import { and, asc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import { arg, byId, many } from '../query.ts';

/** Letters about single events are few: a webhook that fails ten times is switched off. */
const LETTERS_MAX = 50;

/** `id` is the hash of a token or of a Message-ID; expiry is the caller's to judge. */
export const replyTokenById = byId('reply_tokens', null);

export const inboundMailById = byId('inbound_mails', null);

/** An agent and its person, for letters: the person's address and preferences (null columns: none set), what both have read, the
 * last seq that letters have covered (null: none), connections. One row for each requested letter, which are the reminders between
 * two ids; one with null columns without any. */
export const lettersOfAgent = many<{ id: string; first: string; end: string }>()(null, (db, t) =>
  db
    .select({
      agent_id: t.agents.id,
      account_id: t.agents.account_id,
      handle: t.agents.handle,
      display_name: t.agents.display_name,
      wake: t.agents.wake,
      deactivated_at: t.agents.deactivated_at,
      to: t.accounts.email,
      language: t.accounts.language,
      seen_language: t.accounts.seen_language,
      email: t.notification_settings.email,
      digest: t.notification_settings.digest,
      push: t.notification_settings.push,
      quiet_hours: t.notification_settings.quiet_hours,
      mute: t.notification_settings.mute,
      ranges: t.inbox_reads.ranges,
      noticed: t.inbox_reads.noticed,
      seen: t.mail_marks.seen,
      told_at: t.mail_marks.at,
      mark_version: t.mail_marks.version,
      last_seen_at: t.presence.last_seen_at,
      samples: t.presence.samples,
      streams: t.presence.streams,
      reminder_id: t.reminders.id,
      reminder_version: t.reminders.version,
      input: t.reminders.input,
    })
    .from(t.agents)
    .innerJoin(t.accounts, eq(t.accounts.id, t.agents.account_id))
    .leftJoin(t.notification_settings, eq(t.notification_settings.id, t.agents.account_id))
    .leftJoin(t.inbox_reads, eq(t.inbox_reads.id, t.agents.id))
    .leftJoin(t.mail_marks, eq(t.mail_marks.id, t.agents.id))
    .leftJoin(t.presence, eq(t.presence.id, t.agents.id))
    .leftJoin(t.reminders, and(gte(t.reminders.id, arg('first')), lt(t.reminders.id, arg('end'))))
    .where(eq(t.agents.id, arg('id')))
    .orderBy(asc(t.reminders.id))
    .limit(LETTERS_MAX),
);

/** The beginning of event data about a conversation, before the conversation's id. */
const NAMES_CONVERSATION = '{"conversation_id":"';
const UUID_CHARS = 36;

/** The events after a seq, in order, each with the subject of the conversation that its data names first; null for others. */
export const eventsToTell = many<{ agent_id: string; after: number; limit: number }>()(null, (db, t) => {
  const told = db
    .select()
    .from(t.events)
    .where(and(eq(t.events.agent_id, arg('agent_id')), gt(t.events.seq, arg('after'))))
    .orderBy(asc(t.events.seq))
    .limit(arg('limit'))
    .as('told');
  return (
    db
      .select({ ...told._.selectedFields, subject: t.conversations.subject })
      .from(told)
      // The engines have no way into JSON in common, and text keeps the order in which it was written.
      .leftJoin(
        t.conversations,
        sql`${t.conversations.id} = substr(${told.data}, ${sql.raw(`${NAMES_CONVERSATION.length + 1}, ${UUID_CHARS}`)})`,
      )
      .orderBy(asc(told.seq))
  );
});
