// Runs an operation for a method that is no tool: reading a resource, or a prompt with data. It passes the pipeline like every call, with
// the caller's own access, scope and agent.
import type { TSchema } from 'typebox';
import type { AnyOperation } from '../../contract/operation.ts';
import type { StepForm } from '../../domain/next-step.ts';
import type { Answer, Caller, Ended } from '../../pipeline/call.ts';
import { holdsWords } from '../../schemas/authored.ts';
import type { DoorPorts } from '../door-ports.ts';
import { type ModelText, modelContent } from '../tools.ts';
import type { ClientSide } from './client-requests.ts';
import type { Exchange } from './exchange.ts';
import { outputShape, outputText } from './results.ts';

/** The service's ports of methods and tool calls. */
export interface MethodPorts extends Pick<DoorPorts, 'pipeline' | 'settings' | 'random' | 'report'> {
  /** How they name calls. */
  readonly form: StepForm;
  readonly side: ClientSide;
  readonly operations: ReadonlyMap<string, AnyOperation>;
}

/** An operation by a name that exists. */
export function operationOf({ operations }: MethodPorts, name: string): AnyOperation {
  const operation = operations.get(name);
  if (!operation) throw new Error(`there is no operation ${name}`);
  return operation;
}

export type Sender = Pick<Exchange, 'credential' | 'origin' | 'acting' | 'bytes' | 'request_id' | 'caller'>;

function callerOf(exchange: Sender): Omit<Sender, 'caller'> & {
  readonly entered: Exchange['caller'];
} {
  const { credential, origin, acting, bytes, request_id, caller } = exchange;
  return { credential, origin, acting, bytes, request_id, entered: caller };
}

export function runOperation(
  ports: MethodPorts,
  exchange: Sender,
  name: string,
  input: Record<string, unknown>,
): Promise<Ended> {
  const operation = operationOf(ports, name);
  return ports.pipeline.run({
    ...callerOf(exchange),
    operation,
    input,
    named: Object.keys(input),
    idempotency_key: null,
  });
}

export function answerValue(ports: MethodPorts, answer: Answer, name: string): unknown {
  return JSON.parse(outputText(answer, operationOf(ports, name), ports.form));
}

/** The handle of an answer's reader: the acting agent, or the account's only one. */
async function readerOf({ agent_handle }: Answer, caller: Caller): Promise<string | null> {
  if (agent_handle !== undefined) return agent_handle;
  const [only, another] = await caller.agents();
  return only && !another ? only.handle : null;
}

/** The text blocks of an answer for a model, with other parties' text apart. */
export async function contentOf(
  ports: Pick<MethodPorts, 'random'>,
  { caller }: Pick<Exchange, 'caller'>,
  answer: Answer,
  shape: TSchema,
  json: string,
): Promise<readonly ModelText[]> {
  if (!holdsWords(shape)) return [{ type: 'text', text: json }];
  const handle = await readerOf(answer, caller);
  return modelContent({ value: () => JSON.parse(json), json }, shape, { handle, random: ports.random });
}

/** The same for an answer of a named operation. */
export function modelBlocks(
  ports: MethodPorts,
  exchange: Exchange,
  answer: Answer,
  name: string,
): Promise<readonly ModelText[]> {
  const operation = operationOf(ports, name);
  return contentOf(ports, exchange, answer, outputShape(operation), outputText(answer, operation, ports.form));
}
