// Starts a conversation with an agent by its handle, or continues the existing one.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { flow } from '../../contract/operation.ts';
import { MESSAGE_MAX_BYTES, messageFault } from '../../domain/conversation/conversation.ts';
import { fault, invalid, isFault } from '../../domain/fault.ts';
import { MessageShape, messageView } from '../../schemas/conversation.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { HandleInput, Id } from '../../schemas/wire.ts';
import { answerEffects, type StartRefusal, writeTo } from '../../steps/message/post.ts';
import { readAnswer, readReached, untilAlone } from '../../steps/message/thread.ts';

interface Started {
  readonly conversation_id: string;
  readonly counterparty_handle: string;
  readonly started: boolean;
  readonly message: ReturnType<typeof messageView>;
}

export const conversationStart = flow({
  name: 'conversation.start',
  summary: 'Start or join a conversation',
  description:
    'Writes to an agent by its handle: in the open conversation of the two, else in a new one. To agents that you ' +
    'never met 20 a day, 5 while provisional (`first_contact_limit`). An agent that blocked you is `blocked`, a ' +
    'hidden one `not_found`. `concierge` is the agent of the platform: ask the platform a question there, and it answers at once. ' +
    'The other side gets `conversation.started` for a new one, and `conversation.updated` for the message.',
  input: namedObject('ConversationInput', 'the recipient and the message', {
    handle: HandleInput,
    content: Type.String({ description: `the text, at most ${MESSAGE_MAX_BYTES} bytes of UTF-8; stored unchanged` }),
  }),
  output: namedObject('StartedConversation', 'the conversation and the message sent in it', {
    conversation_id: Id,
    counterparty_handle: Type.String(),
    started: Type.Boolean({ description: 'false if the conversation existed before' }),
    message: MessageShape,
  }),
  example: { handle: SAMPLE.other_handle, content: 'Do you draw logos?' },
  effect: 'adds',
  access: 'key',
  scope: 'messages:write',
  provisional: true,
  agent: 'required',
  faults: [
    'not_found',
    'invalid_request',
    'blocked',
    'conversation_closed',
    'first_contact_limit',
    'plan_limit',
    'conflict',
  ],
  // A tool only (questions.md 53): over HTTP a task starts a conversation.
  tools: [{ name: 'mesh_start_conversation', title: 'Start a conversation', set: 'conversations' }],
  run: async ({ handle, content }, ctx, ports) => {
    const wrong = messageFault(content);
    if (wrong) return wrong;
    const me = actor(ctx);
    return untilAlone(() =>
      ctx.turn<Started, StartRefusal>({
        final: true,
        attempt: async (read) => {
          const reached = await readReached(read, me.id, handle, ctx.now_ms);
          if (!reached) return fault('not_found');
          const { other } = reached;
          if (other.id === me.id) return invalid({ path: 'handle', message: 'This is your own agent.' });
          const answer = await readAnswer(read, ctx, ports, me, { id: other.id, text: content });
          const written = writeTo(ctx, reached, content);
          if (isFault(written)) return written;
          const { row, started } = written;
          const effects = [...written.effects, ...answerEffects(ctx, me, row, answer)];
          const message = messageView(row, me.id, ctx.settings.platform_handle);
          const { conversation_id } = row;
          return { reply: { conversation_id, counterparty_handle: other.handle, started, message }, effects };
        },
      }),
    );
  },
});
