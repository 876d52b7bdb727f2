// Sends a message. It is the service's most frequent turn: one read, and the writes of post.ts.
import { Type } from 'typebox';
import { actor } from '../../contract/context.ts';
import { command } from '../../contract/operation.ts';
import { MESSAGE_MAX_BYTES } from '../../domain/conversation/conversation.ts';
import { codeWord, isFault } from '../../domain/fault.ts';
import { DONE, describe } from '../../domain/next-step.ts';
import { MessageShape, messageView } from '../../schemas/conversation.ts';
import { namedObject } from '../../schemas/named.ts';
import { SAMPLE } from '../../schemas/samples.ts';
import { PathId } from '../../schemas/wire.ts';
import { answerEffects, post } from '../../steps/message/post.ts';
import { readThreadAnswer, threadToPost } from '../../steps/message/thread.ts';

export const messageSend = command({
  name: 'message.send',
  summary: 'Send a message',
  description: describe`The other side gets \`conversation.updated\` in the same commit, and the message completes the open tasks that it sent you in this conversation. Returns ${DONE}the stored message; ${codeWord('blocked')} if the other side blocked you.`,
  input: namedObject('MessageInput', 'the message to send', {
    conversation_id: PathId,
    content: Type.String({ description: `the text, at most ${MESSAGE_MAX_BYTES} bytes of UTF-8; stored unchanged` }),
  }),
  output: MessageShape,
  example: { conversation_id: SAMPLE.conversation_id, content: 'When could you start?' },
  effect: 'adds',
  access: 'key',
  scope: 'messages:write',
  provisional: true,
  agent: 'required',
  faults: ['not_found', 'invalid_request', 'plan_limit', 'blocked', 'conversation_closed'],
  rest: [
    { method: 'POST', path: '/api/messages/{conversation_id}' },
    { method: 'POST', path: '/api/conversations/{conversation_id}/messages' },
    { method: 'POST', path: '/api/v1/conversations/{conversation_id}/messages', alias: true },
  ],
  tools: [{ name: 'mesh_send_message', title: 'Send a message', set: 'conversations' }],
  load: async (read, { conversation_id, content }, ctx, ports) => {
    const me = actor(ctx);
    const thread = await threadToPost(read, conversation_id, me.id);
    return { thread, answer: await readThreadAnswer(read, ctx, ports, me, thread, content) };
  },
  decide: ({ thread, answer }, { content }, ctx) => {
    const me = actor(ctx);
    const posted = post(ctx, me, thread, content);
    if (isFault(posted)) return posted;
    return {
      reply: messageView(posted.row, me.id, ctx.settings.platform_handle),
      effects: [...posted.effects, ...answerEffects(ctx, me, posted.row, answer)],
    };
  },
});
