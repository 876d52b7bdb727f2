// Mails the daily digest: what came since the last one and is still unread. A day on which nothing did sends no letter.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { notificationSettings } from '../../../db/queries/notification.ts';
import type { InboxEvent, Read } from '../../../db/store.ts';
import { readMarks } from '../../domain/inbox.ts';
import { digestLetter } from '../../outbound/mailer/letters.ts';
import { command } from '../operation.ts';
import { Id } from '../schemas/wire.ts';
import { newest } from './newest.ts';
import { nextDigest } from './next-digest.ts';
import { type Places, sourcesOf } from './places.ts';
import { settingsOf } from './settings.ts';
import { notificationView } from './view.ts';

/** A letter that is longer than this is not read. */
const TOLD_MAX = 20;
/** How far back it looks for unread ones among those that were read. */
const PAGE = 50;
const PAGES_MAX = 10;

/** The unread events since a time, newest first: one more than a letter tells of, where there are so many. */
async function unreadSince(
  read: Read,
  account_id: string,
  since: number,
  mute: readonly string[],
): Promise<InboxEvent[]> {
  const sources = await sourcesOf(read, account_id, null);
  const marks = new Map(sources.map(({ agent_id, noticed }) => [agent_id, readMarks(noticed)]));
  const isNews = ({ agent_id, seq, kind, created_at }: InboxEvent): boolean =>
    created_at >= since && !mute.includes(kind) && marks.get(agent_id)?.(seq) === false;
  const unread: InboxEvent[] = [];
  let from: Places | null = new Map(sources.map(({ agent_id, head }) => [agent_id, head + 1]));
  for (let page = 0; from !== null && page < PAGES_MAX && unread.length <= TOLD_MAX; page++) {
    const { events, rest }: Awaited<ReturnType<typeof newest>> = await newest(read, from, PAGE);
    unread.push(...events.filter(isNews));
    from = (events.at(-1)?.created_at ?? 0) < since ? null : rest;
  }
  return unread;
}

export const notificationDigest = command({
  name: 'notification.digest',
  summary: 'Mail a digest',
  input: Type.Object({ account_id: Id }),
  output: Type.Object({ told: Type.Integer() }),
  access: 'internal',
  faults: [],
  rest: [],
  load: async (read, { account_id }) => {
    const [row, account] = await Promise.all([
      read(notificationSettings, { id: account_id }),
      read.peek(accountById, { id: account_id }),
    ]);
    if (!row || row.digest === 'off') return null;
    return { row, account, unread: await unreadSince(read, account_id, row.digested_until, row.mute) };
  },
  decide: (state, { account_id }, ctx) => {
    if (!state) return { reply: { told: 0 } };
    const { row, account, unread } = state;
    const effects: Effect<never>[] = [
      patch('notification_settings', row, { digested_until: ctx.now_ms }),
      nextDigest(account_id, settingsOf(row), ctx.now_ms),
    ];
    const told = unread.slice(0, TOLD_MAX);
    if (told.length === 0 || !account?.email) return { reply: { told: 0 }, effects };
    const { settings } = ctx.world;
    const entries = told.map((event) => notificationView(event, false, settings));
    const letter = digestLetter(entries, unread.length > told.length, `${settings.app_url}/notifications`);
    const id = ctx.id();
    const payload = { id, to: account.email, ...letter };
    effects.push({ do: 'send', id, channel: 'mail', payload, created_at: ctx.now_ms });
    return { reply: { told: told.length }, effects };
  },
});
