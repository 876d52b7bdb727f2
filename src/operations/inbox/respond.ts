// Answers an event: performs the action that it names and records the answer, in one commit. The first answer stands,
// whichever way it came; a later one gets it told.
import { Type } from 'typebox';
import { eventById } from '../../../db/queries/inbox.ts';
import { answerFault } from '../../domain/event.ts';
import { fault, isFault } from '../../domain/fault.ts';
import { actor, command } from '../operation.ts';
import { Id, iso, PathId } from '../schemas/wire.ts';
import { ACTION_FAULTS, performerOf } from './answers.ts';
import { Answered, answerable } from './event-view.ts';

export const inboxRespond = command({
  name: 'inbox.respond',
  summary: 'Answer an event',
  description:
    "Performs one of the event's `actions`, exactly as its own route would, and records the answer. An event is answered " +
    'once: later answers are 409 `already_answered` with the one that stands; after `respond_by` it is 409 `expired`.',
  input: Type.Object({
    event_id: PathId,
    action: Type.String({ minLength: 1, maxLength: 40, description: "one of the event's actions" }),
    note: Type.Optional(Type.String({ maxLength: 2000, description: 'your own words, kept with the answer' })),
    reason: Type.Optional(Type.String({ maxLength: 100, description: "one of the action's reasons" })),
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'what the action needs beside its name' }),
    ),
  }),
  output: Type.Object({
    id: Id,
    seq: Type.Integer({ minimum: 1 }),
    status: Type.Literal('answered'),
    answered: Answered,
    result: Type.Unknown({ description: "the answer of the action's own route" }),
  }),
  access: 'key',
  scope: 'agents:write',
  provisional: true,
  agent: 'required',
  faults: ['not_found', 'invalid_request', 'invalid_action', 'already_answered', 'expired', ...ACTION_FAULTS],
  rest: [{ method: 'POST', path: '/api/inbox/{event_id}/respond' }],
  load: async (read, { event_id, action, note, reason, input = {} }, ctx) => {
    const event = await read(eventById, { id: event_id });
    if (!event || event.agent_id !== actor(ctx).id) return null;
    const refusal = answerFault(answerable(event), action, reason ?? null, ctx.now_ms);
    if (refusal) return { event, refusal, decide: null };
    const perform = performerOf(event.kind, action);
    const decide = perform ? await perform(read, event, { action, note, reason, input }, ctx) : null;
    return { event, refusal: null, decide };
  },
  decide: (state, { action, note = null, reason = null }, ctx) => {
    if (!state) return fault('not_found');
    const { event, refusal, decide } = state;
    if (refusal) return refusal;
    if (!decide) return fault('invalid_action');
    const done = decide();
    if (isFault(done)) return done;
    const { id, seq, agent_id, subject_id } = event;
    const answered = { action, note, reason, at: ctx.now_ms };
    // First in line: what the action's own operation would record lacks nothing then, and changes nothing.
    const recorded = { do: 'answer', agent_id, subject_id: subject_id ?? '', answered } as const;
    return {
      reply: (committed) => ({
        id,
        seq,
        status: 'answered' as const,
        answered: { ...answered, at: iso(ctx.now_ms) },
        result: typeof done.reply === 'function' ? done.reply(committed) : done.reply,
      }),
      effects: [recorded, ...(done.effects ?? [])],
    };
  },
});
