// A call that has to wait for a person, who opens an address first: verifies, pays, approves. An operation says so by a refusal
// that holds the address; the client is asked to show it, and calls again when that is done. Whether it was done, the operation
// finds out for itself: what a client says of it moves nothing.
import type { Fault } from '../../domain/fault.ts';
import type { ClientSide } from './client-side.ts';
import { type Exchange, type RpcError, type RpcResult, rpcError } from './exchange.ts';
import { inputRequired, roundOf } from './rounds.ts';

/** The revision that has a code of its own for it. */
const WITH_CODE = '2025-11-25';
/** "URL elicitation required" (MCP 2025-11-25, Elicitation). */
const URL_REQUIRED = -32042;
/** Under which name the client answers. */
const NAME = 'open_url';
const ID_BYTES = 16;

function takesUrls({ capabilities }: Exchange): boolean {
  const { elicitation } = capabilities;
  return typeof elicitation === 'object' && elicitation !== null && 'url' in elicitation;
}

/** What a client is told of a refusal that waits for a person; null where it is told like any other. `about` is what the call is
 * about, which is the same when it comes again. */
export function personNeeded(
  side: ClientSide,
  exchange: Exchange,
  about: unknown,
  { data: { open_url } }: Pick<Fault, 'data'>,
): RpcResult | RpcError | null {
  if (!open_url) return null;
  const { url, message } = open_url;
  const { era, version } = exchange.revision;
  if (era === 'stateless') {
    if (!takesUrls(exchange)) return null;
    const request = { method: 'elicitation/create', params: { mode: 'url', message, url } } as const;
    return inputRequired(side, exchange, about, { needs: { [NAME]: request }, state: url });
  }
  if (version !== WITH_CODE) return null;
  const elicitationId = Buffer.from(side.random(ID_BYTES)).toString('base64url');
  return rpcError(URL_REQUIRED, message, { elicitations: [{ mode: 'url', elicitationId, message, url }] });
}

/** What is wrong with what a call brings back from its first try; null where nothing is, and where it brings nothing. */
export function secondTryProblem(side: ClientSide, exchange: Exchange, about: unknown): RpcError | null {
  const { inputResponses, requestState } = exchange.params;
  if (exchange.revision.era !== 'stateless') return null;
  if (inputResponses === undefined && requestState === undefined) return null;
  const round = roundOf(side, exchange, about);
  return 'error' in round ? round : null;
}

/** Whether the person at the client would not open the address. */
export function isDeclined({ params: { inputResponses }, revision }: Exchange): boolean {
  const answer =
    revision.era === 'stateless' ? (inputResponses as Record<string, unknown> | undefined)?.[NAME] : undefined;
  const action = (answer as { action?: unknown } | undefined)?.action;
  return action === 'decline' || action === 'cancel';
}
