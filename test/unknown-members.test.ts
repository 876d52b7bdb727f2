// What an operation does not know: refused and named where the caller prefers strict handling (RFC 7240), and always in the bodies
// that move money; else passed over. At every address of every operation.
import { beforeAll, expect, test } from 'bun:test';
import type { AnyOperation, RestBinding } from '../src/contract/operation.ts';
import { registry } from '../src/operations/registry.ts';
import { isMutation } from '../src/transports/openapi/responses.ts';
import { newAgent, signIn, type TestAgent } from './support/agents.ts';
import { requestOf, sentBody } from './support/examples.ts';
import { sharedService } from './support/opened.ts';

const STRICT = { Prefer: 'handling=strict' };
const UNKNOWN = 'no_such_member';

/** Where what is not known is refused without being asked for. */
const ALWAYS = [
  'escrow.create',
  'escrow.release',
  'marketplace.checkout',
  'payout.request',
  'subscription.create',
  'wallet.send',
];

type Route = { readonly operation: AnyOperation; readonly binding: RestBinding };
type Place = 'query' | 'body';

const routes: Route[] = registry().flatMap((operation) => operation.rest.map((binding) => ({ operation, binding })));

const t = sharedService();
let owner: TestAgent;
let token: string;
let agents = 0;

/** Somebody to ask as, whom nothing that was asked before has ended or renamed. */
async function newOwner(): Promise<void> {
  agents += 1;
  owner = await newAgent(t, { handle: `asker_${agents}`, verified: true, pro: true });
  token = await signIn(t, owner.email);
}

beforeAll(async () => {
  await newOwner();
});

function credentialOf({ access }: AnyOperation): Record<string, string> {
  if (access === 'platform' || access === 'admin') return { 'X-Internal-Token': t.internal_token };
  return { Authorization: `Bearer ${token}`, 'X-Agent-Handle': owner.handle };
}

/** Whether a binding has a body that members can be added to. */
function takesBody({ operation, binding }: Route): boolean {
  return binding.method !== 'GET' && binding.method !== 'DELETE' && operation.raw === undefined;
}

/** Calls an address with its example and a member that it does not know. */
async function askedWith({ operation, binding }: Route, place: Place, headers: Record<string, string>) {
  const example = requestOf(operation, binding, (operation.example ?? {}) as Record<string, unknown>, owner.handle);
  const path = binding.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(example.path?.[name] ?? ''),
  );
  const query = [example.query, place === 'query' && `${UNKNOWN}=1`].filter(Boolean).join('&');
  const { type, text } = sentBody(place === 'body' ? { ...example, body: { ...example.body, [UNKNOWN]: 1 } } : example);
  const all = { 'Content-Type': type, ...example.headers, ...credentialOf(operation), ...headers };
  const reads = binding.method === 'GET' || binding.method === 'DELETE';
  const asked = { method: binding.method, headers: all, ...(!reads && { body: text }) };
  const response = await t.fetch(new Request(`http://localhost${path}${query && `?${query}`}`, asked));
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream) await response.body?.cancel();
  const said = response.status === 400 ? await response.json() : {};
  const names = (said.fields ?? []).map((field: { path: string }) => field.path);
  return { status: response.status, error: said.error, names, applied: response.headers.get('preference-applied') };
}

const placesOf = (route: Route): Place[] => (takesBody(route) ? ['query', 'body'] : ['query']);

test('with handling=strict each address refuses and names what its operation does not know', async () => {
  const wrong: string[] = [];
  for (const route of routes) {
    for (const place of placesOf(route)) {
      const answer = await askedWith(route, place, STRICT);
      const named = answer.status === 400 && answer.error === 'invalid_request' && answer.names.join() === UNKNOWN;
      if (named && answer.applied === 'handling=strict') continue;
      wrong.push(`${route.binding.method} ${route.binding.path}, ${place}: ${JSON.stringify(answer)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(routes.length).toBeGreaterThan(200);
}, 600_000);

test('without it the bodies that move money alone do', async () => {
  await newOwner();
  const refusing = new Set<string>();
  const wrong: string[] = [];
  for (const route of routes) {
    for (const place of placesOf(route)) {
      const answer = await askedWith(route, place, {});
      if (answer.names.includes(UNKNOWN)) refusing.add(`${route.operation.name} ${place}`);
      if (isMutation(route.operation) && answer.status < 300) await newOwner();
      if (answer.applied !== null)
        wrong.push(`${route.binding.method} ${route.binding.path} says that it was preferred`);
    }
  }
  expect([...refusing].sort()).toEqual(ALWAYS.map((name) => `${name} body`));
  expect(wrong).toEqual([]);
}, 600_000);

test('the preference is read as RFC 7240 has it', async () => {
  const asked = async (Prefer: string): Promise<number> =>
    (await t.call('GET', '/api/billing/plans?no_such_member=1', { headers: { Prefer } })).status;
  for (const strict of [
    'handling=strict',
    'Handling = "strict"; a=b',
    'wait=5, handling=strict',
    'handling=strict, handling=lenient',
  ]) {
    expect([strict, await asked(strict)]).toEqual([strict, 400]);
  }
  for (const lax of [
    'handling=lenient',
    'handling=lenient, handling=strict',
    'handling',
    'wait=5',
    'x="handling=strict"',
  ]) {
    expect([lax, await asked(lax)]).toEqual([lax, 200]);
  }
});

test('what stands within an object is named by its path, beside what is wrong, and eight at most are told', async () => {
  await newOwner();
  const sent = (body: object, headers: Record<string, string>) =>
    t.call('POST', '/api/wallet/escrow', { token, agent: owner.handle, headers, body });
  const milestone = { title: 'A part', amount: 100, extra: 1 };
  const { status, body } = await sent({ seller_handle: 'x', milestones: [milestone] }, {});
  expect(status).toBe(400);
  expect(body.fields?.map(({ path }: { path: string }) => path)).toEqual([
    'milestones.0.amount',
    'milestones.0.extra',
    'milestones.0.amount_cents',
  ]);
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`member_${n}`, n]));
  expect((await sent(many, STRICT)).body.fields).toHaveLength(8);
});
