// The methods of tools: what there is, and calls.

import { Type } from 'typebox';
import { type Fault, invalid, isFault } from '../../domain/fault.ts';
import { isObject, type Json } from '../../domain/json.ts';
import type { StepForm } from '../../domain/next-step.ts';
import { RPC_CODES } from '../json-rpc.ts';
import { tolerantInput } from '../tolerance.ts';
import { metaOf } from './envelope.ts';
import { BOTH_ERAS, type Exchange, type Methods, type Outcome, type RpcResult, refusalError } from './exchange.ts';
import type { Offer, ToolCall } from './offer.ts';
import { IDEMPOTENCY_KEY } from './words.ts';

/** How long a client may keep the list: it changes with the service's version and with the account's plan. */
const LIST_TTL_MS = 300_000;
/** Of an unknown name so much is told back. */
const NAME_SHOWN_MAX = 100;

/** The tool that finds the others. */
export const FIND = 'mesh_find_tools';

const ARGUMENTS = Type.Object({ arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())) });

/** The arguments of a call, also where they came as JSON in a text; null where they are no object. */
export function argumentsOf(given: Json): Json | null {
  const { arguments: args = {} } = tolerantInput({ arguments: given['arguments'] }, ARGUMENTS);
  return isObject(args) ? args : null;
}

/** A call as its parameters have it, or what is wrong with them. */
function callOf(params: Json): (ToolCall & { readonly name: string }) | Fault {
  const { name } = params;
  const given = argumentsOf(params);
  const { [IDEMPOTENCY_KEY]: key = null } = metaOf(params);
  if (typeof name !== 'string') return invalid({ path: 'name', message: 'must be a string, the name of a tool' });
  if (!given) return invalid({ path: 'arguments', message: 'must be an object' });
  if (key !== null && typeof key !== 'string') {
    return invalid({ path: `_meta.${IDEMPOTENCY_KEY}`, message: 'must be a string' });
  }
  return { name, given, idempotency_key: key };
}

/** The refusal of a name that no tool has. */
export function unknownTool(
  offer: Offer,
  { caller, choice, request_id }: Exchange,
  name: string,
  form: StepForm,
): Outcome {
  const supported = offer.listed(caller.principal, choice.toolset).map(({ shown }) => shown.name);
  const shown = name.slice(0, NAME_SHOWN_MAX).toWellFormed();
  const refusal = invalid({ path: 'name', message: `no tool is named ${shown}; ${FIND} finds others` });
  const refused = refusalError(refusal, form, request_id, { code: RPC_CODES.invalid_params });
  const { error } = refused;
  return { error: { ...error, data: { ...(error.data as Json), supported } }, status: 200 };
}

function list(offer: Offer, form: StepForm, exchange: Exchange): Outcome {
  const { params, caller, revision, choice, request_id } = exchange;
  if ((params['cursor'] ?? '') !== '') {
    // All are told at once, so that no cursor was ever given.
    const refusal = invalid({ path: 'cursor', message: 'is none of this list' });
    return { ...refusalError(refusal, form, request_id), status: 200 };
  }
  const result: RpcResult = {
    result: `{"tools":${offer.listText(caller.principal, revision, choice)}}`,
    cache: { ttl_ms: LIST_TTL_MS, scope: 'private' },
  };
  return result;
}

async function call(offer: Offer, form: StepForm, exchange: Exchange): Promise<Outcome> {
  const wanted = callOf(exchange.params);
  if (isFault(wanted)) return { ...refusalError(wanted, form, exchange.request_id), status: 200 };
  const tool = offer.toolNamed(wanted.name);
  return tool ? tool.call(exchange, wanted) : unknownTool(offer, exchange, wanted.name, form);
}

/** The methods of tools; the offer is made at the first of them. */
export function toolMethods(offer: () => Offer, form: StepForm): Methods {
  return new Map([
    ['tools/list', { eras: BOTH_ERAS, run: (exchange: Exchange) => list(offer(), form, exchange) }],
    [
      'tools/call',
      { eras: BOTH_ERAS, named: 'name' as const, run: (exchange: Exchange) => call(offer(), form, exchange) },
    ],
  ]);
}
