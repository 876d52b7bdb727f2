// Outgoing traffic about tasks: the parties' push configs, and messages forwarded to an agent's own A2A endpoint, with its ids for
// them.
import { sql } from 'drizzle-orm';
import type { Binding } from '../../src/domain/agent/foreign-card.ts';
import type { Part } from '../../src/domain/task/part.ts';
import type { RemoteState } from '../../src/domain/task/remote.ts';
import type { Dialect } from '../../src/domain/task/task.ts';
import type { Builders } from './builders.ts';
import { gone, keep, secret } from './personal.ts';

/** An endpoint's answer until it is posted; `state` is the task's next state. */
export interface AnswerColumn {
  readonly state: Exclude<RemoteState, 'working'>;
  readonly parts: readonly Part[];
}

// Without a return type: drizzle infers the row types from this literal.
export function forwardTables(b: Builders) {
  /** The id is the task's with the config's own, by which the task's parties name it. */
  const push_configs = b.table(
    'push_configs',
    {
      id: b.id(),
      task_id: b.code('task_id', keep).notNull(),
      config_id: b.code('config_id', keep).notNull(),
      /** The party that created it; only it can see it. */
      agent_id: b.code('agent_id', keep).notNull(),
      url: b.text('url', gone).notNull(),
      /** Token and credentials, sealed; null without any. */
      secret: b.text('secret', secret(gone)),
      /** The dialect of its pushes: the one in which it was registered. */
      dialect: b.code<Dialect>('dialect', keep).notNull(),
      /** Updates of the task are delivered up to this one. */
      n: b.int('n', keep).notNull(),
      /** Failed attempts at the next one. */
      failures: b.int('failures', keep).notNull().default(0),
      created_at: b.int('created_at', keep).notNull(),
      /** With its task; null while that is open. */
      expires_at: b.int('expires_at', keep),
      version: b.version(),
    },
    (t) => [
      b.index('push_configs_task').on(t.task_id),
      b.index('push_configs_agent').on(t.agent_id),
      b.index('push_configs_expiry').on(t.expires_at).where(sql`expires_at IS NOT NULL`),
    ],
  );
  /** The id is the event's by which the message is delivered: a message is sent on once, and its answer posted once. */
  const forwards = b.table(
    'forwards',
    {
      id: b.id(),
      /** Whose endpoint it is. */
      agent_id: b.code('agent_id', keep).notNull(),
      conversation_id: b.code('conversation_id', keep).notNull(),
      message_id: b.code('message_id', keep).notNull(),
      task_id: b.code('task_id', keep),
      /** How the endpoint was called, so that what follows goes the same way. */
      url: b.text('url', gone).notNull(),
      dialect: b.code<Dialect>('dialect', keep).notNull(),
      binding: b.code<Binding>('binding', keep).notNull(),
      tenant: b.text('tenant', gone),
      /** The other side's ids of the task and the conversation. */
      remote_task_id: b.code('remote_task_id', keep),
      remote_context_id: b.code('remote_context_id', keep),
      /** working: followed up; answered: to be posted; waiting: the endpoint waits for more; closed: nothing follows. */
      state: b.code<'working' | 'answered' | 'waiting' | 'closed'>('state', keep).notNull(),
      answer: b.json<AnswerColumn | null>('answer', gone),
      /** The message that the answer became. */
      answer_id: b.code('answer_id', keep),
      looks: b.int('looks', keep).notNull().default(0),
      created_at: b.int('created_at', keep).notNull(),
      expires_at: b.int('expires_at', keep).notNull(),
      version: b.version(),
    },
    (t) => [
      b.index('forwards_thread').on(t.conversation_id, t.id),
      b.index('forwards_task').on(t.task_id),
      b.index('forwards_answer').on(t.answer_id),
      b.index('forwards_expiry').on(t.expires_at),
    ],
  );
  return { push_configs, forwards };
}
