// Pushes events to a person's browsers, as a background task, so that a slow push service delays nothing else. Meanwhile the
// reminder is due again a minute later, so that a crash loses no push; a browser shows a duplicate once, by the event's id. The
// text is that of letters. A browser that is gone is removed.

import { Type } from 'typebox';
import { type Effect, patch } from '../../../db/effects.ts';
import { agentById } from '../../../db/queries/agent.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { eventsBefore, readsOf } from '../../../db/queries/inbox.ts';
import { notificationSettings, pushSubscriptionsOfAccount } from '../../../db/queries/notification.ts';
import type { Row } from '../../../db/schema/tables.ts';
import type { InboxEvent, Read } from '../../../db/store.ts';
import type { FlowCtx, Settings } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import type { FlowPorts } from '../../contract/ports.ts';
import { isFault } from '../../domain/fault.ts';
import type { EventKind } from '../../domain/inbox/event.ts';
import { parseReadMarks } from '../../domain/inbox/inbox.ts';
import { isUrgent } from '../../domain/inbox/notification-settings.ts';
import { isPushedNow, PUSHED_MAX, pressable, pushPause } from '../../domain/inbox/push.ts';
import { isWeakMatch, type Wake } from '../../domain/inbox/wake.ts';
import { isAccepted } from '../../domain/inbox/webhook.ts';
import { type Language, languageFor } from '../../domain/language.ts';
import { DAY_MS } from '../../domain/time.ts';
import { eventWords } from '../../domain/words/events.ts';
import type { PushAddress } from '../../outbound/web-push.ts';
import { notificationView, settingsOf } from '../../schemas/notification.ts';
import { openAddress, PUSH_EVENTS, pushKey, removeBrowsers } from '../../steps/browser.ts';
import { remind, unremind } from '../../steps/reminder.ts';

const AGAIN_MS = 60_000;
/** While requests keep the service busy, pushes are postponed by this. */
const BUSY_MS = 1_000;
const DEADLINE_MS = 10_000;
/** Only the status of a push service's answer is used. */
const BYTES_MAX = 65_536;
/** How long the push service keeps a push for a device that is off. */
const TTL_SECONDS = 86_400;
/** Statuses of a push service for a browser that is gone (RFC 8030, 7.3). */
const GONE: ReadonlySet<number> = new Set([404, 410]);
/** Events of a span that are considered, newest first. */
const LOOKED_AT = 50;

type Browser = Row<'push_subscriptions'>;

interface Span {
  readonly agent_id: string;
  readonly from: number;
  readonly through: number;
}

/** How a push is put into words. */
interface Shown {
  readonly language: Language | null;
  /** Of times; UTC where none is known. */
  readonly zone: string | undefined;
}

function toldOf(event: InboxEvent, { language, zone }: Shown, settings: Settings): string {
  const { id, handle, title, body, url, created_at } = notificationView(event, false, settings, language, zone);
  const { pathname, search } = new URL(url);
  const actions = pressable(event.kind as EventKind, eventWords(language));
  return JSON.stringify({ id, handle, title, body, path: `${pathname}${search}`, created_at, actions });
}

/** The unread events of a span that the person wants, oldest first. */
async function wantedOf(
  read: Read,
  { account_id, wake }: { readonly account_id: string; readonly wake: Wake },
  { agent_id, from, through }: Span,
  now_ms: number,
) {
  const [events, settings, marks] = await Promise.all([
    read.peek(eventsBefore, { agent_id, before: through + 1, limit: Math.min(LOOKED_AT, through - from + 1) }),
    read.peek(notificationSettings, { id: account_id }),
    read.peek(readsOf, { id: agent_id }),
  ]);
  const has = parseReadMarks(marks?.noticed ?? '');
  const wants = settingsOf(settings);
  // Only kinds of the catalogue are written.
  const wanted = events.filter(
    ({ seq, kind, data, answered }) =>
      answered === null &&
      !has(seq) &&
      !isWeakMatch(wake, kind, data) &&
      isPushedNow(wants, kind as EventKind, now_ms, data),
  );
  return { events: wanted.slice(0, PUSHED_MAX).reverse(), zone: wants.quiet_hours?.tz };
}

type Carried = 'taken' | 'gone' | 'failed';

/** Pushes events to one browser, until a push fails. */
async function carry(
  { settings }: Pick<FlowCtx, 'settings'>,
  { http, pushes, clock }: FlowPorts,
  { address, ...shown }: Shown & { readonly address: PushAddress },
  events: readonly InboxEvent[],
  signal: AbortSignal,
): Promise<Carried> {
  for (const event of events) {
    const urgency = isUrgent(event.kind as EventKind) ? 'high' : 'normal';
    const manner = { ttl_seconds: TTL_SECONDS, urgency } as const;
    const request = await pushes.request(address, toldOf(event, shown, settings), manner, clock.now());
    const answer = await http.request({
      ...request,
      method: 'POST',
      deadline_ms: DEADLINE_MS,
      bytes_max: BYTES_MAX,
      signal,
    });
    if (answer.status !== null && GONE.has(answer.status)) return 'gone';
    if (!isAccepted(answer.status)) return 'failed';
  }
  return 'taken';
}

/** Records the outcome: removes browsers that are gone, and schedules retries. */
function settled(
  span: Span & { readonly attempts: number },
  account_id: string,
  browsers: readonly Browser[],
  carried: ReadonlyMap<string, Carried>,
  now_ms: number,
): Effect<never>[] {
  const that = (how: Carried): Browser[] => browsers.filter(({ id }) => carried.get(id) === how);
  const { agent_id, from, through } = span;
  const key = pushKey(agent_id, through);
  const attempts = span.attempts + 1;
  const left = that('failed').map(({ id }) => id);
  const pause_ms = left.length > 0 ? pushPause(attempts) : null;
  const input = { agent_id, from, through, attempts, browser_ids: left };
  const next =
    pause_ms === null ? unremind(PUSH_EVENTS, key) : remind(PUSH_EVENTS, input, { at: now_ms + pause_ms, key, now_ms });
  // Once a day only, since each change of the row makes its agents' routes be read again.
  const fresh = that('taken').filter(({ taken_at }) => taken_at === null || now_ms - taken_at >= DAY_MS);
  return [
    ...removeBrowsers(account_id, that('gone')),
    ...fresh.map((row) => patch('push_subscriptions', row, { taken_at: now_ms })),
    next,
  ];
}

export const browserPush = flow({
  ...PUSH_EVENTS,
  summary: 'Push events to the browsers of their person',
  output: Type.Object({ begun: Type.Boolean() }),
  effect: 'changes',
  open_world: true,
  access: 'internal',
  run: async (asked, ctx, ports) => {
    const { agent_id, through, browser_ids } = asked;
    const { now_ms } = ctx;
    const agent = await ctx.read(agentById, { id: agent_id });
    if (!agent || agent.deactivated_at !== null) return { reply: { begun: false } };
    const { account_id } = agent;
    const all = await ctx.read(pushSubscriptionsOfAccount, { account_id });
    const reached = all.flatMap((row) => {
      const address = browser_ids && !browser_ids.includes(row.id) ? null : openAddress(ctx.secrets.seal_key, row);
      return address ? [{ row, address }] : [];
    });
    if (reached.length === 0) return { reply: { begun: false } };
    const { events, zone } = await wantedOf(ctx.read, agent, asked, now_ms);
    if (events.length === 0) return { reply: { begun: false } };
    const language = languageFor(await ctx.read(accountById, { id: account_id }));
    const may = ports.mayPush();
    const at = now_ms + (may ? AGAIN_MS : BUSY_MS);
    const again = remind(PUSH_EVENTS, asked, { at, key: pushKey(agent_id, through), now_ms });
    await ctx.turn({ agent_id, attempt: async () => ({ reply: null, effects: [again] }) });
    if (!may) return { reply: { begun: false } };
    const work = async (gone: AbortSignal): Promise<void> => {
      const carried = new Map<string, Carried>();
      await Promise.all(
        reached.map(async ({ row, address }) =>
          carried.set(row.id, await carry(ctx, ports, { address, language, zone }, events, gone)),
        ),
      );
      if (gone.aborted) return;
      const outcome = await ctx.turn({
        agent_id,
        attempt: async (read) => {
          const now = await read(pushSubscriptionsOfAccount, { account_id });
          return { reply: null, effects: settled(asked, account_id, now, carried, ports.clock.now()) };
        },
      });
      if (isFault(outcome)) throw new Error(`a push result could not be stored: ${outcome.fault}`);
    };
    const hosts = [...new Set(reached.flatMap(({ address }) => URL.parse(address.endpoint)?.host ?? []))];
    ports.tasks.run(again.id, { hosts, deadline_ms: AGAIN_MS, work });
    return { reply: { begun: true } };
  },
});
