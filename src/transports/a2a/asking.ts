// One request of the door and what it runs: operations, whose refusals are told as the protocol's errors.
import type { Deadlines } from '../../../actors/deadlines.ts';
import type { AnyOperation, StreamSink } from '../../contract/operation.ts';
import { FAULTS } from '../../domain/fault.ts';
import type { Json } from '../../domain/json.ts';
import type { Addresses } from '../../domain/next-step.ts';
import type { Answer, Call, Ended, Opened } from '../../pipeline/call.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { Observe } from '../rest.ts';
import type { Dialect, Does } from './dialect.ts';
import { type Problem, problemOf } from './errors.ts';
import type { Reader } from './parts.ts';
import type { Wait } from './updates.ts';
import type { Task } from './values.ts';

export interface A2aPorts {
  readonly pipeline: Pick<Pipeline, 'run' | 'enter'>;
  readonly operations: ReadonlyMap<string, AnyOperation>;
  readonly addresses: Addresses;
  readonly observe: Observe;
  readonly clock: { now(): number };
  readonly base_url: string;
  readonly platform_handle: string;
  /** When each send that waits has waited long enough. */
  readonly waits: Deadlines<Wait>;
}

export interface Asking {
  readonly ports: A2aPorts;
  readonly request: Request;
  readonly from: Pick<Call, 'credential' | 'origin' | 'acting' | 'request_id' | 'bytes'>;
  readonly started_ms: number;
  /** Lets in a call that runs no operation. */
  readonly enter: (what: string, needs_credential: boolean) => Promise<Problem | null>;
  readonly does: Does;
  /** The dialect of the answer; some requests leave it to the task. */
  readonly dialect: (task: Task | null) => Dialect;
}

/** What came of it: a result in the dialect, a refusal, or a stream of results with the n of the update that each is of. */
export type Performed =
  | { readonly result: unknown }
  | { readonly problem: Problem }
  | { readonly opening: Json; readonly n: number; readonly start: (sink: StreamSink, write: WriteEvent) => void };

/** Writes a result as an event of the stream that it goes to. */
export type WriteEvent = (result: Json, n: number) => string;

export async function run(asking: Asking, name: string, input: Json, more: Partial<Call> = {}): Promise<Ended> {
  const { ports, from, started_ms } = asking;
  const operation = ports.operations.get(name);
  if (!operation) throw new Error(`no operation is named ${name}`);
  const ended = await ports.pipeline.run({ ...from, operation, input, idempotency_key: null, ...more });
  const status = 'refusal' in ended ? FAULTS[ended.refusal.fault].status : 200;
  ports.observe('a2a', name, status, started_ms);
  return ended;
}

export function readerOf({ ports: { platform_handle } }: Asking, { agent_handle }: Answer | Opened): Reader {
  return { handle: agent_handle ?? null, platform_handle };
}

export interface Seen {
  readonly task: Task;
  readonly reader: Reader;
}

/** A task as it stands, for a request that was counted. */
export async function getTask(asking: Asking, task_id: string, history_length?: number): Promise<Seen | Problem> {
  const input = history_length === undefined ? { task_id } : { task_id, history_length };
  const ended = await run(asking, 'task.get', input, { counted: true });
  if (!('reply' in ended)) return refused(asking, ended);
  return { task: ended.reply.value as Task, reader: readerOf(asking, ended) };
}

export function refused({ does, dialect }: Asking, ended: Ended): Problem {
  if (!('refusal' in ended)) throw new Error('a stream answered where a value was asked for');
  return problemOf(ended.refusal, does, dialect(null).version);
}
