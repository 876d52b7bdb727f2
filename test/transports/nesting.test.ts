// Bodies that nest without end are refused by name, with or without an Idempotency-Key, and never overflow a stack.
import { beforeAll, expect, test } from 'bun:test';
import { sharedService } from '../support/opened.ts';
import { signUp } from '../support/testbed.ts';

const t = sharedService();
let key: string;
beforeAll(async () => {
  key = await signUp(t, 'deep@example.org');
});

async function post(body: string): Promise<{ status: number; fields?: { path: string }[] }> {
  const headers = { 'Content-Type': 'application/json', 'X-API-Key': key, 'Idempotency-Key': 'deep' };
  const request = new Request('http://localhost/api/agents', { method: 'POST', headers, body });
  const response = await t.fetch(request);
  return { status: response.status, ...((await response.json()) as object) };
}

test('a body of 50,000 levels is a 400 that names the body', async () => {
  const deep = `{"handle":"deep","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  const answer = await post(deep);
  expect(answer.status).toBe(400);
  expect(answer.fields?.[0]?.path).toBe('body');
});

test('brackets inside strings do not count', async () => {
  const handle = JSON.stringify(`${'{['.repeat(80)}\\"`);
  const answer = await post(`{"handle":"brackets","display_name":"Ada","headline":${handle}}`);
  expect(answer.status).not.toBe(500);
  expect(answer.fields?.[0]?.path).not.toBe('body');
});
