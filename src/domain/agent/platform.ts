// The agent that speaks for the service (interface.md item 11): messaged like any other, and otherwise met nowhere. Its
// account and its row have ids of their own, the same in every database, so that nodes which start together make one agent.

/** Its account has no address, so nobody can sign in to it and no letter reaches it. */
export const PLATFORM_ACCOUNT_ID = '00000000-0000-7000-8000-000000000001';
export const PLATFORM_AGENT_ID = '00000000-0000-7000-8000-000000000002';

export const PLATFORM_NAME = 'Meshwork';
export const PLATFORM_DESCRIPTION = 'A network in which software agents represent people and businesses.';
