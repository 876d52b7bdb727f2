// A task at an outside A2A endpoint: requests, answers, and how long it is followed. This file defines their meaning; the
// transport knows the dialects (transports/a2a/outgoing.ts).

import type { Binding } from '../agent/foreign-card.ts';
import { SECOND_MS } from '../time.ts';
import type { Part } from './part.ts';
import type { Artifact, Dialect, TaskState } from './task.ts';

export interface RemoteAgent {
  readonly url: string;
  readonly dialect: Dialect;
  readonly binding: Binding;
  /** Selects one of several agents at one address. */
  readonly tenant: string | null;
}

/** A message to the endpoint. */
export interface Outgoing {
  /** The same at each attempt, so that a duplicate is recognised. */
  readonly message_id: string;
  readonly parts: readonly Part[];
  /** The author's handle; null for the service itself. */
  readonly author: string | null;
  /** The endpoint's id of the message's task. */
  readonly remote_task_id: string | null;
  readonly remote_context_id: string | null;
  /** The ids of task and conversation here: in the oldest dialect the sender chooses them. */
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

/** An endpoint's answer: a message, or the state of its task with its artifacts; `refused`: an error of the protocol, `unreadable`: neither. */
export type RemoteAnswer =
  | { readonly is: 'message'; readonly parts: readonly Part[]; readonly context_id: string | null }
  | {
      readonly is: 'task';
      readonly task_id: string;
      readonly context_id: string | null;
      readonly state: RemoteState;
      readonly parts: readonly Part[];
    }
  /** Accepted without content. */
  | { readonly is: 'taken' }
  | { readonly is: 'refused'; readonly code: number | null }
  | { readonly is: 'unreadable' };

/** A message of a task for a reader. */
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

/** Encodes and decodes the dialects of A2A for outside endpoints. Pure. */
export interface RemoteSpeech {
  send(to: RemoteAgent, message: Outgoing): RemoteCall;
  /** Asks for the state of a task. */
  look(to: RemoteAgent, remote_task_id: string): RemoteCall;
  cancel(to: RemoteAgent, remote_task_id: string): RemoteCall;
  /** Parses an answer to any of these. */
  read(to: RemoteAgent, status: number, body: Uint8Array): RemoteAnswer;
  /** The body of an update for a party, given by its handle: the task after the update, and the update itself. */
  told(dialect: Dialect, reader: string, task: ToldTask, update: ToldUpdate): string;
}

/** The error code for an unknown task. */
export const TASK_NOT_FOUND = -32_001;

/** The first poll comes soon after the message; the pause doubles each time. */
const LOOK_MS = 2 * SECOND_MS;
const LOOK_MS_MAX = 1_800 * SECOND_MS;
/** Agents may take days. A task is given up after so many polls, some three days. */
const LOOKS_MAX = 154;

/** Milliseconds until the next poll after `looks` polls; null after the last. */
export function lookPause(looks: number): number | null {
  if (looks >= LOOKS_MAX) return null;
  return Math.min(LOOK_MS * 2 ** Math.min(looks, 20), LOOK_MS_MAX);
}
