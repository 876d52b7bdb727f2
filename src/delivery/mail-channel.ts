// The last channel: a letter to the agent's human about what nothing else took. The channel only asks for the letter; it is made
// when it is due (mail/notify.ts), of all that came meanwhile.
import type { Effect } from '../../db/effects.ts';
import type { InboxEvent } from '../../db/store.ts';
import type { EventKind } from '../domain/inbox/event.ts';
import { heldUntil, isUrgent, mailTime } from '../domain/inbox/notification-settings.ts';
import { letterTime } from '../domain/mail/letter-plan.ts';
import { letterFacts, letterId, remindLetter } from '../steps/mail/letter.ts';
import type { PendingLetters } from './pending-letters.ts';
import type { DeliveryPorts } from './ports.ts';
import type { Route } from './route.ts';

/** Only kinds of the catalogue are ever written. */
const kindOf = ({ kind }: InboxEvent): EventKind => kind as EventKind;

/** Those of the events that would be mailed to somebody who wants every letter. */
function unheardOf(streaming: boolean, { mute }: Route, events: readonly InboxEvent[]): InboxEvent[] {
  return events.filter((event) => isUrgent(kindOf(event)) || !(streaming || mute.has(event.kind)));
}

/**
 * Asks for the letters about events, in the order of their seq, that no channel above accepted; answers what to commit. Where
 * other events of the inbox were accepted (`alone`), each is asked for by itself, else all from the first on.
 */
export async function askForLetter(
  ports: DeliveryPorts,
  pending: PendingLetters,
  route: Route,
  events: readonly InboxEvent[],
  alone: boolean,
): Promise<Effect<never>[]> {
  const { id: agent_id } = route.agent;
  // Who is connected here is known without a look.
  if (unheardOf(ports.isStreaming(agent_id), route, events).length === 0) return [];
  const facts = await letterFacts(ports.read, ports, agent_id);
  if (!facts?.to) return [];
  const { settings, mark, asked } = facts;
  const now_ms = ports.clock.now();
  const told = unheardOf(facts.streaming, route, events);
  // Each is asked for by itself, for a time that is the same for all of a day: a letter that is due earlier tells of none of them.
  const held = told.flatMap(({ seq, data }) => {
    const at = heldUntil(data);
    return at === null ? [] : [remindLetter(agent_id, { from: seq, through: seq }, at, now_ms)];
  });
  const wanted = told.filter(
    (event) => heldUntil(event.data) === null && mailTime(settings, kindOf(event), now_ms) !== null,
  );
  const [first] = wanted;
  if (!first) return held;
  const at = wanted.some((event) => isUrgent(kindOf(event))) ? now_ms : letterTime(mark?.at ?? 0, now_ms);
  if (alone) {
    return [...held, ...wanted.map(({ seq }) => remindLetter(agent_id, { from: seq, through: seq }, at, now_ms))];
  }
  const standing = asked.find(({ id }) => id === letterId(agent_id, null));
  // What was asked for a moment ago may not be committed yet; the pending knows of it.
  const from = Math.min(first.seq, standing?.from ?? first.seq, pending.of(agent_id)?.from ?? first.seq);
  const due = Math.min(at, standing?.due ?? at);
  pending.note(agent_id, { from, at: due });
  return [...held, remindLetter(agent_id, { from, through: null }, due, now_ms)];
}
