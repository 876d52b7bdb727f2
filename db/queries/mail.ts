// Reads of reply tokens and of the mails that came in.
import { eq } from 'drizzle-orm';
import { arg, one } from '../query.ts';

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
