// The first channel: every webhook that is subscribed to the event, all at once. Any 2xx stops the ladder (Q139).
import { subscribes } from '../domain/inbox/webhook.ts';
import { attempt } from './attempt.ts';
import { type Channel, NOTHING } from './channel.ts';

export const webhookChannel: Channel = async (ports, { mute, hooks }, events, signal) => {
  const [event] = events;
  if (!event || mute.has(event.kind)) return NOTHING;
  const wanted = hooks.filter((hook) => subscribes(hook.kind, hook.events, event.kind));
  const attempts = await Promise.all(wanted.map((hook) => attempt(ports, hook, event, 1, signal)));
  return { attempts, effects: [], accepted: attempts.some(({ accepted }) => accepted) ? [event.id] : [] };
};
