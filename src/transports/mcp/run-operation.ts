// Runs an operation for a method that is no tool: a resource that is read, a prompt that brings data along. It goes the way of every
// call, with the caller's own access, scope and agent.
import type { TSchema } from 'typebox';
import type { AnyOperation } from '../../contract/operation.ts';
import type { Answer, Ended } from '../../pipeline/call.ts';
import { holdsWords } from '../../schemas/authored.ts';
import type { DoorPorts } from '../door-ports.ts';
import { type ModelText, modelContent } from '../tools.ts';
import type { ToolPorts } from './call-tool.ts';
import type { Exchange } from './exchange.ts';
import { outputShape, outputText } from './results.ts';

/** What methods take from the service. */
export interface MethodPorts extends ToolPorts, Pick<DoorPorts, 'report'> {
  readonly operations: ReadonlyMap<string, AnyOperation>;
}

/** The operation of a name that the service is known to have. */
function operationOf({ operations }: MethodPorts, name: string): AnyOperation {
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

/** What a model reads of an answer: words of other parties apart. */
export async function modelBlocks(
  ports: MethodPorts,
  { caller }: Exchange,
  answer: Answer,
  name: string,
): Promise<readonly ModelText[]> {
  const operation = operationOf(ports, name);
  const json = outputText(answer, operation, ports.form);
  const shape: TSchema = outputShape(operation);
  if (!holdsWords(shape)) return [{ type: 'text', text: json }];
  const [only, another] = await caller.agents();
  const handle = answer.agent_handle ?? (only && !another ? only.handle : null);
  return modelContent({ value: () => JSON.parse(json), json }, shape, { handle, random: ports.random });
}
