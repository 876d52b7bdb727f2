// Reads of reply tokens, of the mails that came in and of the letters that are to leave.
import { and, asc, eq, gte, lt } from 'drizzle-orm';
import { arg, many, one } from '../query.ts';

/** `id` is the hash of a token or of a Message-ID; expiry is the caller's to judge. */
export const replyTokenById = one<{ id: string }>()(null, (db, t) =>
  db
    .select()
    .from(t.reply_tokens)
    .where(eq(t.reply_tokens.id, arg('id')))
    .limit(1),
);

export const inboundMailById = one<{ id: string }>()(null, (db, t) =>
  db
    .select()
    .from(t.inbound_mails)
    .where(eq(t.inbound_mails.id, arg('id')))
    .limit(1),
);

/** When a person last had a letter about an agent, and up to which seq they were told; the id is the agent's. */
export const mailMark = one<{ id: string }>()('mail_marks', (db, t) =>
  db
    .select()
    .from(t.mail_marks)
    .where(eq(t.mail_marks.id, arg('id')))
    .limit(1),
);

/** The letters about an agent that are asked for: the reminders between two ids. */
export const askedLetters = many<{ first: string; end: string; limit: number }>()(null, (db, t) =>
  db
    .select()
    .from(t.reminders)
    .where(and(gte(t.reminders.id, arg('first')), lt(t.reminders.id, arg('end'))))
    .orderBy(asc(t.reminders.id))
    .limit(arg('limit')),
);
