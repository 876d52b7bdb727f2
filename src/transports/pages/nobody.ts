// How pages ask whose address is their credential: in nobody's name, without a cookie and without a look at where a form comes from.
import type { AnyOperation } from '../../contract/operation.ts';
import { type Ended, NO_CREDENTIALS } from '../../pipeline/call.ts';
import { senderOf } from '../caller.ts';
import type { DoorPorts } from '../door-ports.ts';
import type { RestDoor } from '../rest.ts';

/** Calls one of the operations behind a page. */
type Ask = (request: Request, name: string, input: Record<string, unknown>, request_id: string) => Promise<Ended>;

export function nobodyAsks(
  { operations, pipeline }: Pick<DoorPorts, 'operations' | 'pipeline'>,
  { ip }: Pick<RestDoor, 'ip'>,
): Ask {
  const named = (name: string): AnyOperation => {
    const found = operations.find((operation) => operation.name === name);
    if (!found) throw new Error(`no operation is named ${name}`);
    return found;
  };
  return (request, name, input, request_id) => {
    const { origin } = senderOf(request, ip);
    const sent = { input, bytes: 0, credential: NO_CREDENTIALS, acting: null, origin };
    return pipeline.run({ operation: named(name), ...sent, idempotency_key: null, request_id });
  };
}
