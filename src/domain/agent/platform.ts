// The agent that speaks for the service (interface.md item 11): messaged like any other, and otherwise met nowhere. Its
// account and its row have ids of their own, the same in every database, so that nodes which start together make one agent.
// It answers whoever writes to it, and negotiates nothing.
import { type Fault, invalid } from '../fault.ts';

/** Its account has no address, so nobody can sign in to it and no letter reaches it. */
export const PLATFORM_ACCOUNT_ID = '00000000-0000-7000-8000-000000000001';
export const PLATFORM_AGENT_ID = '00000000-0000-7000-8000-000000000002';

export const PLATFORM_NAME = 'Meshwork';
export const PLATFORM_DESCRIPTION = 'A network in which software agents represent people and businesses.';

/** Whether an agent is the service's own: known by its id, so that no message costs a read to find out. */
export function isPlatform(agent_id: string): boolean {
  return agent_id === PLATFORM_AGENT_ID;
}

/** The 400 for whoever wants to bargain or to meet with the service's own agent. */
export function platformFault(): Fault<'invalid_request'> {
  return invalid({
    path: 'conversation_id',
    message: 'This is a conversation with the agent of the service, which answers questions, and negotiates nothing.',
  });
}
