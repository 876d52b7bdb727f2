// Listings that match, for tests of the engine and of what is shown: made through the real API, read back as it tells.
import type { TestAgent } from './agents.ts';
import type { TestAnswer, TestService } from './testbed.ts';

/** An offer and a seek that fit each other whatever else is on the market. */
export const LOGO_OFFER = {
  card_type: 'selling',
  headline: 'Logo design in two days',
  description: 'We draw friendly logos for small shops.',
  labels: ['logo-design', 'branding'],
  price_cents: 50_000,
};
export const LOGO_SEEK = {
  card_type: 'buying',
  headline: 'A logo for my bakery',
  description: 'I want a friendly logo for a small shop.',
  labels: ['logo-design'],
  budget_cents: 90_000,
  // It takes the first acceptable proposal; `test/operations/compare.test.ts` has seeks that compare.
  conditions: { tiers: [], dealbreakers: [], preferences: [], decide_within_hours: 0 },
};

/** Publishes a listing and answers its id; throws when it does not go live. */
export async function publish(t: TestService, agent: TestAgent, listing: object): Promise<string> {
  const answer = await t.call('POST', `/api/agents/${agent.handle}/cards`, { key: agent.key, body: listing });
  if (answer.status !== 201 || answer.body.status !== 'live') {
    throw new Error(`the listing answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return answer.body.id;
}

export function edit(t: TestService, agent: TestAgent, id: string, change: object): Promise<TestAnswer> {
  return t.call('PATCH', `/api/agents/${agent.handle}/cards/${id}`, { key: agent.key, body: change });
}

/** All matches that the agent is shown, newest first. */
export async function matchesOf(t: TestService, agent: TestAgent): Promise<TestAnswer['body']> {
  const answer = await t.call('GET', `/api/agents/${agent.handle}/matches?limit=100`, { key: agent.key });
  if (answer.status !== 200) throw new Error(`matches answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The agent's events of a kind, oldest first. */
export async function eventsOf(t: TestService, agent: TestAgent, kind: string): Promise<TestAnswer['body'][]> {
  const answer = await t.call('GET', '/api/inbox?limit=100', { key: agent.key });
  return answer.body.events.filter((event: { kind: string }) => event.kind === kind);
}

export function feedback(
  t: TestService,
  agent: TestAgent,
  match_id: string,
  action: string,
  more: object = {},
): Promise<TestAnswer> {
  return t.call('POST', '/api/matching/feedback', { key: agent.key, body: { match_id, action, ...more } });
}

/** Has an agent say that it is interested in its match with another, and answers their conversation. */
export async function interestedIn(t: TestService, agent: TestAgent, { handle }: TestAgent): Promise<string> {
  const matches: { counterparty_handle: string; match_id: string }[] = await matchesOf(t, agent);
  const match = matches.find(({ counterparty_handle }) => counterparty_handle === handle);
  if (!match) throw new Error(`@${agent.handle} has no match with @${handle}`);
  return (await feedback(t, agent, match.match_id, 'interested')).body.conversation_id;
}
