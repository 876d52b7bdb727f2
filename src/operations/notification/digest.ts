// Mails the daily digest: the events since the last one that are still unread, without the last minutes. A day without
// events sends no letter.
import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { notificationSettings } from '../../../db/queries/notification.ts';
import type { InboxEvent, Read } from '../../../db/store.ts';
import { command } from '../../contract/operation.ts';
import { parseReadMarks } from '../../domain/inbox/inbox.ts';
import { isWeakMatch } from '../../domain/inbox/wake.ts';
import { languageFor } from '../../domain/language.ts';
import { digestLetter } from '../../outbound/mailer/letters.ts';
import { letterWords } from '../../outbound/mailer/words/words.ts';
import { notificationView, settingsOf } from '../../schemas/notification.ts';
import { newestNotifications, sourcesOf } from '../../steps/inbox.ts';
import { sendLetter } from '../../steps/letter.ts';
import { unsubscribeBy } from '../../steps/mail/unsubscribe.ts';
import { DIGEST, type NotificationCursor, remindDigest } from '../../steps/notification.ts';

/** People do not read longer letters. */
const TOLD_MAX = 20;
/** How far back it searches for unread events. */
const PAGE = 50;
const PAGES_MAX = 10;
/** An event has the time of its request, but exists only from the commit on: a busy node, an unavailable database or an
 * outside call may lie between. Younger events are left to the next letter, so that none is missed. */
const SETTLING_MS = 120_000;

/** A half-open interval: from `since` on, before the end. */
interface Stretch {
  readonly since: number;
  readonly until: number;
}

/** The unread events of an interval, newest first: at most one more than a letter shows. */
async function unreadOf(
  read: Read,
  account_id: string,
  { since, until }: Stretch,
  mute: readonly string[],
): Promise<InboxEvent[]> {
  const sources = await sourcesOf(read, account_id, null);
  const marks = new Map(sources.map(({ agent_id, noticed }) => [agent_id, parseReadMarks(noticed)]));
  const wakes = new Map(sources.map(({ agent_id, wake }) => [agent_id, wake]));
  const isNews = ({ agent_id, seq, kind, data, created_at }: InboxEvent): boolean =>
    created_at >= since &&
    created_at < until &&
    !mute.includes(kind) &&
    !isWeakMatch(wakes.get(agent_id) ?? {}, kind, data) &&
    marks.get(agent_id)?.(seq) === false;
  const unread: InboxEvent[] = [];
  let from: NotificationCursor | null = new Map(sources.map(({ agent_id, head }) => [agent_id, head + 1]));
  for (let page = 0; from !== null && page < PAGES_MAX && unread.length <= TOLD_MAX; page++) {
    const { events, rest }: Awaited<ReturnType<typeof newestNotifications>> = await newestNotifications(
      read,
      from,
      PAGE,
    );
    unread.push(...events.filter(isNews));
    // An inbox has the order of commits, so times may be slightly out of order.
    from = (events.at(-1)?.created_at ?? 0) < since - SETTLING_MS ? null : rest;
  }
  return unread;
}

export const notificationDigest = command({
  ...DIGEST,
  summary: 'Mail a digest',
  output: Type.Object({ told: Type.Integer() }),
  effect: 'adds',
  open_world: true,
  access: 'internal',
  load: async (read, { account_id }, { now_ms }) => {
    const [row, account] = await Promise.all([
      read(notificationSettings, { id: account_id }),
      read.peek(accountById, { id: account_id }),
    ]);
    if (!row || row.digest === 'off') return null;
    const since = row.digested_until;
    const until = Math.max(since, now_ms - SETTLING_MS);
    return { row, account, until, unread: await unreadOf(read, account_id, { since, until }, row.mute) };
  },
  decide: (state, { account_id }, ctx) => {
    if (!state) return { reply: { told: 0 } };
    const { row, account, until, unread } = state;
    const effects: Effect<never>[] = [
      patch('notification_settings', row, { digested_until: until }),
      remindDigest(account_id, settingsOf(row), ctx.now_ms),
    ];
    const told = unread.slice(0, TOLD_MAX);
    if (told.length === 0 || !account?.email) return { reply: { told: 0 }, effects };
    const { settings } = ctx;
    const language = languageFor(account);
    const entries = told.map((event) => notificationView(event, false, settings, language, row.quiet_hours?.tz));
    const letter = digestLetter(
      entries,
      unread.length > told.length,
      `${settings.app_url}/notifications`,
      letterWords(language),
    );
    effects.push(
      sendLetter({ channel: 'mail', to: account.email, ...unsubscribeBy(account_id, 'digest', ctx), ...letter }, ctx),
    );
    return { reply: { told: told.length }, effects };
  },
});
