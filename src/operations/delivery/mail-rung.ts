// The last rung: a letter to the agent's human about what nothing else took. The rung only asks for the letter; it is made
// when it is due (mail/notify.ts), of all that came meanwhile.
import type { Effect } from '../../../db/effects.ts';
import { accountById } from '../../../db/queries/identity.ts';
import { mailMark } from '../../../db/queries/mail.ts';
import { notificationSettings } from '../../../db/queries/notification.ts';
import { reminderById } from '../../../db/queries/reminder.ts';
import type { InboxEvent } from '../../../db/store.ts';
import type { EventKind } from '../../domain/event.ts';
import { letterTime } from '../../domain/mail-pause.ts';
import { isUrgent, mailTime } from '../../domain/notification-settings.ts';
import { askedIn, letterId, remindLetter } from '../mail/letter-reminder.ts';
import { settingsOf } from '../notification/settings.ts';
import type { World } from '../world.ts';
import type { MailDesk } from './mail-desk.ts';
import type { Route } from './route.ts';

/** Only kinds of the catalogue are ever written. */
const kindOf = ({ kind }: InboxEvent): EventKind => kind as EventKind;

/** Those of the events that would be mailed to somebody who wants every letter. */
async function unheard(world: World, { agent, mute }: Route, events: readonly InboxEvent[]): Promise<InboxEvent[]> {
  const { streaming } = await world.directory.presence(agent.id);
  return events.filter((event) => isUrgent(kindOf(event)) || !(streaming || mute.has(event.kind)));
}

/**
 * Asks for the letters about events, in the order of their seq, that no rung above accepted; answers what to commit. Where
 * other events of the inbox were accepted (`alone`), each is asked for by itself, else all from the first on.
 */
export async function askForLetter(
  world: World,
  desk: MailDesk,
  route: Route,
  events: readonly InboxEvent[],
  alone: boolean,
): Promise<Effect<never>[]> {
  const { agent } = route;
  const told = await unheard(world, route, events);
  if (told.length === 0) return [];
  const { read } = world.store;
  const id = letterId(agent.id);
  const [account, settings, mark, standing] = await Promise.all([
    read(accountById, { id: agent.account_id }),
    read(notificationSettings, { id: agent.account_id }),
    read(mailMark, { id: agent.id }),
    read(reminderById, { id }),
  ]);
  if (!account?.email) return [];
  const now_ms = world.clock.now();
  const wanted = told.filter((event) => mailTime(settingsOf(settings), kindOf(event), now_ms) !== null);
  const [first] = wanted;
  if (!first) return [];
  const at = wanted.some((event) => isUrgent(kindOf(event))) ? now_ms : letterTime(mark?.at ?? 0, now_ms);
  if (alone) {
    return wanted.map(({ seq }) => remindLetter(agent.id, { from: seq, through: seq }, at, now_ms));
  }
  const asked = standing && askedIn(standing);
  // What was asked for a moment ago may not be committed yet; the desk knows of it.
  const from = Math.min(first.seq, asked?.from ?? first.seq, desk.of(agent.id)?.from ?? first.seq);
  const due = Math.min(at, asked?.due ?? at);
  desk.note(agent.id, { from, at: due });
  return [remindLetter(agent.id, { from, through: null }, due, now_ms)];
}
