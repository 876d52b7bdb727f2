// Where A2A is reached: at one address for all agents, and at an address of each agent's own, below which the HTTP bindings
// stand. Their addresses have colons in them, which a router would take for parameters, so that this door looks below itself.
import { Deadlines } from '../../../actors/deadlines.ts';
import type { PlainRoute } from '../app.ts';
import type { DoorPorts } from '../door-ports.ts';
import type { RestDoor } from '../rest.ts';
import type { A2aDoor } from './door.ts';
import { answerHttp } from './http.ts';
import { answerRpc } from './rpc.ts';
import type { Wait } from './updates.ts';

const RPC_PATH = '/a2a/rpc';
/** What each agent's own address begins with, as a card names it. */
const AGENTS_PATH = '/a2a/agents/';

type Shared = Pick<RestDoor, 'ip' | 'observe' | 'prepareStream'>;

function doorOf(service: DoorPorts, { ip, observe, prepareStream }: Shared): A2aDoor {
  const { pipeline, addresses, clock, settings } = service;
  return {
    pipeline,
    addresses,
    clock,
    base_url: settings.base_url,
    platform_handle: settings.platform_handle,
    operations: new Map(service.operations.map((operation) => [operation.name, operation])),
    waits: new Deadlines<Wait>(clock, (end) => end()),
    ip,
    observe,
    prepareStream,
  };
}

export function a2aRoutes(service: DoorPorts, shared: Shared): readonly PlainRoute[] {
  const door = doorOf(service, shared);
  /** What stands below an agent's address, as it was sent. */
  const below = ({ url }: Request): string => {
    const { pathname } = new URL(url);
    return pathname.slice(pathname.indexOf('/', AGENTS_PATH.length) + 1);
  };
  const atAgent: PlainRoute['handle'] = (request, { handle = '' }) => answerHttp(door, request, handle, below(request));
  const path = `${AGENTS_PATH}{handle}/*`;
  return [
    { method: 'POST', path: RPC_PATH, handle: (request) => answerRpc(door, request, null) },
    {
      method: 'POST',
      path: `${AGENTS_PATH}{handle}`,
      handle: (request, { handle = '' }) => answerRpc(door, request, handle),
    },
    { method: 'GET', path, handle: atAgent },
    { method: 'POST', path, handle: atAgent },
    { method: 'DELETE', path, handle: atAgent },
  ];
}
