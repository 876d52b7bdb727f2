// How a proof of an agent stands, wherever that is told: to its person, to others and to everybody. All have to say the same.
import { expect } from 'bun:test';
import { signIn, type TestAgent } from './agents.ts';
import type { TestService } from './testbed.ts';

type Told = readonly { readonly kind: string; readonly status: string }[];

/** The status of a kind of proof, null where there is none; fails where it is not told alike everywhere. */
export async function statusTold(t: TestService, { handle, email }: TestAgent, kind: string): Promise<string | null> {
  const token = await signIn(t, email);
  const { credentials } = (await t.call('GET', '/api/trust/signals', { token, agent: handle })).body;
  const own = (await t.call('GET', `/api/agents/${handle}`, { token })).body;
  const shown = (await t.call('GET', `/api/agents/public/${handle}`)).body;
  const of = (list: Told): string | null => list.find((each) => each.kind === kind)?.status ?? null;
  const told = of(credentials);
  const elsewhere = [of(own.credential_status), of(shown.credential_status), of(shown.claims)];
  expect(elsewhere).toEqual([told, told, told]);
  const counts = [own, shown].map(({ trust }) => trust.credentials.includes(kind));
  expect(counts).toEqual([told === 'active', told === 'active']);
  return told;
}
