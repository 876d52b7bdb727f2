// A task at another's A2A endpoint: what is said to it, what it answers, and how long one looks after it. How either is written
// in a dialect is the door's to know (transports/a2a/outgoing.ts); here is what it means.

import type { Binding } from '../agent/foreign-card.ts';
import { SECOND_MS } from '../time.ts';
import type { Part } from './part.ts';
import type { Artifact, Dialect, TaskState } from './task.ts';

export interface RemoteAgent {
  readonly url: string;
  readonly dialect: Dialect;
  readonly binding: Binding;
  /** Which of several agents at one address. */
  readonly tenant: string | null;
}

/** A message that is sent there. */
export interface Outgoing {
  /** The same each time that the message is sent, so that a repetition is recognised. */
  readonly message_id: string;
  readonly parts: readonly Part[];
  /** Whose words these are; null for the service's own. */
  readonly author: string | null;
  /** What the other side calls the task that the message belongs to. */
  readonly remote_task_id: string | null;
  readonly remote_context_id: string | null;
  /** What the task and the conversation are called here: the oldest dialect lets the sender name them. */
  readonly own_task_id: string;
  readonly own_context_id: string;
}

export interface RemoteCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type RemoteState = 'working' | 'input_required' | 'completed' | 'failed' | 'rejected' | 'canceled';

/** What an endpoint answered: a message, or where its task stands with what it has to show; `refused` in the words of the
 * protocol, `unreadable` in none. */
export type RemoteAnswer =
  | { readonly is: 'message'; readonly parts: readonly Part[]; readonly context_id: string | null }
  | {
      readonly is: 'task';
      readonly task_id: string;
      readonly context_id: string | null;
      readonly state: RemoteState;
      readonly parts: readonly Part[];
    }
  /** Taken, and nothing said. */
  | { readonly is: 'taken' }
  | { readonly is: 'refused'; readonly code: number | null }
  | { readonly is: 'unreadable' };

/** A message of a task as a reader sees it. */
interface ToldMessage {
  readonly message_id: string;
  readonly role: 'user' | 'agent';
  readonly sender: string;
  readonly parts: Part[];
  readonly sent_at: string;
}

type ToldArtifact = Omit<Artifact, 'parts'> & { readonly parts: Part[] };

export interface ToldTask {
  readonly task_id: string;
  readonly conversation_id: string;
  readonly sender_handle: string;
  readonly target_handle: string;
  readonly state: TaskState;
  readonly status_message: ToldMessage | null;
  readonly history: ToldMessage[];
  readonly artifacts: ToldArtifact[];
  readonly metadata: Record<string, unknown>;
  readonly last_n: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly dialect: Dialect | null;
}

export interface ToldUpdate {
  readonly n: number;
  readonly task_id: string;
  readonly conversation_id: string;
  readonly kind: 'status' | 'artifact';
  readonly state: TaskState;
  readonly message: ToldMessage | null;
  readonly artifact: ToldArtifact | null;
  readonly at: string;
  readonly final: boolean;
}

/** Speaks the dialects of A2A to others' endpoints. Pure. */
export interface RemoteSpeech {
  send(to: RemoteAgent, message: Outgoing): RemoteCall;
  /** Asks where a task stands. */
  look(to: RemoteAgent, remote_task_id: string): RemoteCall;
  cancel(to: RemoteAgent, remote_task_id: string): RemoteCall;
  /** Reads an answer to any of these. */
  read(to: RemoteAgent, status: number, body: Uint8Array): RemoteAnswer;
  /** The body that tells a party, by its handle, of an update: the task as the update left it, and the update itself. */
  told(dialect: Dialect, reader: string, task: ToldTask, update: ToldUpdate): string;
}

/** The code by which a refusal says that there is no such task. */
export const TASK_NOT_FOUND = -32_001;

/** The first look comes soon after the message, each further one after twice as long. */
const LOOK_MS = 2 * SECOND_MS;
const LOOK_MS_MAX = 1_800 * SECOND_MS;
/** Agents may take days. What is not done after so many looks, some three days, is given up. */
const LOOKS_MAX = 154;

/** Milliseconds until the look after `looks` of them; null when there is none any more. */
export function lookPause(looks: number): number | null {
  if (looks >= LOOKS_MAX) return null;
  return Math.min(LOOK_MS * 2 ** Math.min(looks, 20), LOOK_MS_MAX);
}
