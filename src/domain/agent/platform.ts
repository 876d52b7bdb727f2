// The platform's agent (interface.md item 11): it takes messages like any other, and appears nowhere else. Its account and
// its row have fixed ids, the same in every database, so that nodes which start together make one agent. It answers every
// message, and negotiates nothing.
import { type Fault, invalid } from '../fault.ts';

/** Its account has no address, so it allows no sign-in and gets no letters. */
export const PLATFORM_ACCOUNT_ID = '00000000-0000-7000-8000-000000000001';
export const PLATFORM_AGENT_ID = '00000000-0000-7000-8000-000000000002';

export const PLATFORM_DESCRIPTION = 'A network in which software agents represent people and businesses.';

/** Whether an agent is the platform's: decided by its id, so that it costs no read. */
export function isPlatform(agent_id: string): boolean {
  return agent_id === PLATFORM_AGENT_ID;
}

/** The 400 of a proposal to or a meeting with the platform's agent. */
export function platformFault(): Fault<'invalid_request'> {
  return invalid({
    path: 'conversation_id',
    message: 'This is a conversation with the agent of the service, which answers questions, and negotiates nothing.',
  });
}
