// One request of a client and what comes of it, between the door, which knows HTTP, and the methods, which know what they do.

import { FAULTS, type Fault } from '../../domain/fault.ts';
import type { Json } from '../../domain/json.ts';
import type { StepForm } from '../../domain/next-step.ts';
import type { Call, Caller } from '../../pipeline/call.ts';
import { shownFault } from '../../schemas/next-step.ts';
import { RPC_CODES, type RpcId } from '../json-rpc.ts';
import { errorBody } from '../wire.ts';
import type { Era, Revision } from './revisions.ts';

/** What a client chooses to be shown by the address that it calls. */
export interface Choice {
  /** The sets of tools; null for the tools of the interface that the caller reaches. */
  readonly toolset: ReadonlySet<string> | null;
  /** Output schemas as well. Who has them reads structured content, and is told an answer there alone. */
  readonly schemas: boolean;
}

export interface Exchange extends Pick<Call, 'credential' | 'origin' | 'acting' | 'bytes' | 'request_id'> {
  readonly request: Request;
  readonly id: RpcId;
  readonly method: string;
  readonly params: Json;
  readonly revision: Revision;
  /** What the client says that it can do. Only a stateless request says it. */
  readonly capabilities: Json;
  /** Let in, and counted to its rate. */
  readonly caller: Caller;
  /** What the address chooses to be shown. */
  readonly choice: Choice;
}

/** What is told beside an outcome. */
interface Told {
  /** The operation that was run, for the figures; the method where none was. */
  readonly operation?: string;
}

/** A result: the JSON of an object, without what only its revision adds. */
export interface RpcResult extends Told {
  readonly result: string;
  /** `complete` unless said; only stateless revisions have it. */
  readonly type?: 'complete' | 'input_required';
  /** How long a client may keep it, and whether for others too; only stateless revisions have it. */
  readonly cache?: { readonly ttl_ms: number; readonly scope: 'public' | 'private' };
}

export interface RpcError extends Told {
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
  /** Of HTTP. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a method writes to while its answer is not there. */
export interface Channel {
  /** Sends one message; false once nobody reads any more. */
  send(message: string): boolean;
  /** Called once when the client goes away. */
  onClose(listener: () => void): void;
}

/** An answer that comes at the end of a stream. */
export interface Streamed extends Told {
  readonly stream: (channel: Channel) => Promise<RpcResult | RpcError>;
}

export type Outcome = RpcResult | RpcError | Streamed;

/** A method of the protocol, and who knows it. */
export interface Method {
  readonly eras: readonly Era[];
  /** The parameter that the header Mcp-Name repeats, in stateless revisions. */
  readonly named?: 'name' | 'uri';
  run(exchange: Exchange): Outcome | Promise<Outcome>;
}

export type Methods = ReadonlyMap<string, Method>;

/** The path of the door, which is also what its metadata call it (challenge.ts). */
export const RESOURCE = '/mcp';

export const BOTH_ERAS: readonly Era[] = ['handshake', 'stateless'];

/** What an outcome ends with. What breaks on the way is reported, and ends this call alone. */
export async function endOf(
  outcome: Outcome | Promise<Outcome>,
  channel: Channel,
  report: (error: unknown) => void,
): Promise<RpcResult | RpcError> {
  try {
    const come = await outcome;
    return 'stream' in come ? await come.stream(channel) : come;
  } catch (error) {
    report(error);
    return rpcError(RPC_CODES.internal_error, FAULTS.internal.message);
  }
}

/** A refusal by the protocol's own codes. */
export function rpcError(code: number, message: string, data?: unknown, status = 200): RpcError {
  return { error: { code, message, ...(data !== undefined && { data }) }, status };
}

/** A refusal of the service, with the body that REST has for it. */
export function refusalError(
  refusal: Fault,
  form: StepForm,
  request_id: string,
  more: { readonly code?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): RpcError {
  const said = shownFault(refusal, form);
  const { status, rpc } = FAULTS[said.fault];
  const { code = rpc, headers } = more;
  const error = { code, message: said.message, data: errorBody(said, request_id) };
  return headers ? { error, status, headers } : { error, status };
}
