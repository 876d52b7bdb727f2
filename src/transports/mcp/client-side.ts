// What this door keeps of its clients between their requests: what was asked of them, what they asked to be told of, and the key
// that seals what they bring back. All of it is this node's own, and none of it outlives the process.
import type { Clock } from '../../../actors/clock.ts';
import type { RpcMessage } from '../json-rpc.ts';
import { ClientRequests } from './client-requests.ts';
import type { Exchange } from './exchange.ts';
import { Remembered } from './remembered.ts';

export interface ClientSide {
  readonly requests: ClientRequests;
  readonly remembered: Remembered;
  readonly clock: Pick<Clock, 'now'>;
  readonly seal_key: Uint8Array;
  random(bytes: number): Uint8Array;
}

interface Parts {
  readonly clock: Clock;
  readonly secrets: { readonly seal_key: Uint8Array };
  random(bytes: number): Uint8Array;
}

export function openClientSide({ clock, secrets, random }: Parts): ClientSide {
  const requests = new ClientRequests(clock, random);
  return { requests, remembered: new Remembered(), clock, seal_key: secrets.seal_key, random };
}

/** What tells a caller from every other one: its credential, and the agent as which it acts. */
export function callerName({ caller: { principal }, acting }: Pick<Exchange, 'caller' | 'acting'>): string {
  const { kind, credential_id, account_id } = principal;
  return `${kind}:${credential_id ?? account_id ?? ''}:${acting ?? ''}`;
}

/** Hands what a client answered to the call that asked; false where none did. */
export function takeAnswer(
  { requests }: ClientSide,
  from: Pick<Exchange, 'caller' | 'acting'>,
  { id, result, error }: Extract<RpcMessage, { kind: 'answer' }>,
): boolean {
  return requests.answer(callerName(from), id, error === undefined ? { result } : { error });
}
