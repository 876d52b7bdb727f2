// Invitations: who makes them, that each lets one person in by any door and past any rule, and that one which was taken back, used or
// is over lets in nobody.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { JoinRules } from '../../src/domain/identity/join.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { newAgent, newProvisional, signIn } from '../support/agents.ts';
import { sharedService } from '../support/opened.ts';
import { newReader } from '../support/reader.ts';
import { readStoredRows } from '../support/store.ts';
import { codeFor, signUp, type TestAnswer } from '../support/testbed.ts';

const BOSS = 'boss@example.org';
const OPEN: JoinRules = { signup: 'open', domains: [], administrators: [BOSS], members_invite: false };
const rules: { -readonly [Field in keyof JoinRules]: JoinRules[Field] } = { ...OPEN };
const set = (now: Partial<JoinRules>): unknown => Object.assign(rules, OPEN, now);

const t = sharedService({ joining: rules, admin_emails: [BOSS], rate_limits: true });
beforeAll(async () => {
  await signUp(t, BOSS);
});
beforeEach(() => set({ signup: 'invite' }));

let calls = 0;
/** A call from an address of its own, so that no limit of addresses counts. */
const call = (method: string, path: string, body?: object, token?: string): Promise<TestAnswer> => {
  calls += 1;
  return t.call(method, path, {
    ip: `198.51.${calls >> 8}.${calls & 255}`,
    ...(body && { body }),
    ...(token && { token }),
  });
};
let session = { token: '', at: Number.NEGATIVE_INFINITY };
/** A session of the administrator, who has signed in lately. */
async function boss(): Promise<string> {
  const now = t.clock.now();
  if (now - session.at > 10 * 60_000) session = { token: await signIn(t, BOSS), at: now };
  return session.token;
}
const tokenOf = ({ body }: TestAnswer): string => String(body.url).split('/invite/')[1] ?? '';
async function invited(body: object = {}): Promise<{ id: string; token: string }> {
  const made = await call('POST', '/api/invitations', body, await boss());
  expect(made.status).toBe(201);
  return { id: made.body.id, token: tokenOf(made) };
}
const accept = (token: string, email: string) => call('POST', '/api/auth/invitation', { token, email });
const mailed = (email: string): number => t.mails.filter(({ to }) => to === email).length;

async function join(email: string, path = '/api/auth/signup'): Promise<TestAnswer> {
  expect((await call('POST', `${path}/start`, { email })).body).toEqual({ sent: true });
  await t.rest();
  return call('POST', `${path}/verify`, { email, code: codeFor(t, email) });
}

describe.each([
  ['invite', { signup: 'invite' }],
  ['closed', { signup: 'closed' }],
  ['other domains', { signup: 'open', domains: ['other.example'] }],
] as const)('past the rule %s', (name, rule) => {
  const person = (way: string): string => `${way}.${name.replace(' ', '.')}@example.org`;

  test.each(['/api/auth/signup', '/api/auth/session'])(
    '%s makes one account of the link, and no second one',
    async (path) => {
      set(rule);
      const [first, second] = [person(path.slice(10)), person(`second${path.slice(10)}`)];
      const { token } = await invited();
      expect((await accept(token, first)).status).toBe(200);
      expect((await join(first, path)).status).toBe(200);
      expect((await accept(token, second)).status).toBe(410);
      expect((await call('POST', `${path}/start`, { email: second })).status).toBe(200);
      await t.rest();
      expect(mailed(second)).toBe(0);
      // Whoever has an account signs in as ever.
      expect((await join(first, path)).status).toBe(200);
    },
  );

  test('an agent is claimed', async () => {
    set(rule);
    const email = person('claims');
    await invited({ email });
    const { key } = await newProvisional(t, `claimed_${name.replace(' ', '_')}`);
    const path = '/api/auth/provision/claim';
    await t.call('POST', path, { key, body: { email } });
    await t.rest();
    expect((await t.call('POST', `${path}/verify`, { key, body: { email, code: codeFor(t, email) } })).status).toBe(
      200,
    );
  });

  test('the page of the link takes an address, mails a code, and signs in', async () => {
    set(rule);
    const email = person('reads');
    const { token } = await invited();
    const reader = newReader(t);
    expect((await reader.get(`/app/invite/${token}`)).text).toContain('You are invited');
    const shown = await reader.post(`/app/invite/${token}`, { email });
    expect([shown.status, shown.text.includes('Enter the code')]).toEqual([200, true]);
    await t.rest();
    expect((await reader.post('/app/login/code', { email, code: codeFor(t, email) })).status).toBe(303);
    expect((await newReader(t).get(`/app/invite/${token}`)).status).toBe(200);
    const again = newReader(t);
    await again.get(`/app/invite/${token}`);
    expect((await again.post(`/app/invite/${token}`, { email: person('late') })).status).toBe(410);
  });
});

test('a link that names an address lets in that address alone; one that does not, the last that was typed', async () => {
  const bound = await invited({ email: 'meant@example.org' });
  const other = await accept(bound.token, 'other@example.org');
  expect([other.status, other.body.fields[0].path]).toEqual([400, 'email']);
  expect((await join('meant@example.org')).status).toBe(200);
  const loose = await invited();
  await accept(loose.token, 'typo@example.org');
  await accept(loose.token, 'right@example.org');
  await call('POST', '/api/auth/signup/start', { email: 'typo@example.org' });
  await t.rest();
  expect(mailed('typo@example.org')).toBe(0);
  expect((await join('right@example.org')).status).toBe(200);
  expect((await accept('made-up', 'a@example.org')).status).toBe(410);
});

test('one that is taken back ends at once, a code of it too; a used one cannot be taken back', async () => {
  const email = 'too.late@example.org';
  const { id, token } = await invited({ email });
  await call('POST', '/api/auth/signup/start', { email });
  await t.rest();
  expect((await call('DELETE', `/api/invitations/${id}`, undefined, await boss())).body).toEqual({ id, revoked: true });
  const refused = await call('POST', '/api/auth/signup/verify', { email, code: codeFor(t, email) });
  expect([refused.status, refused.body.error]).toEqual([403, 'signup_closed']);
  expect((await accept(token, email)).status).toBe(410);
  const used = await invited({ email: 'used@example.org' });
  await join('used@example.org');
  expect((await call('DELETE', `/api/invitations/${used.id}`, undefined, await boss())).status).toBe(410);
});

test('it is mailed where that is asked for, and nothing of it but a hash is stored', async () => {
  const email = 'mailed@example.org';
  const made = await call('POST', '/api/invitations', { email, mail: true }, await boss());
  await t.rest();
  const letter = t.mails.find(({ to }) => to === email);
  expect([made.body.mailed, letter?.text.includes(made.body.url), letter?.text.includes(BOSS)]).toEqual([
    true,
    true,
    true,
  ]);
  expect((await call('POST', '/api/invitations', { mail: true }, await boss())).status).toBe(400);
  const rows = await readStoredRows(t.service.world.settings.data_dir, 'select * from invitations');
  expect(JSON.stringify(rows)).not.toContain(tokenOf(made));
  // Of who has joined no address stays in it.
  await join(email);
  const kept = await readStoredRows(t.service.world.settings.data_dir, 'select email from invitations');
  expect(kept.map((row) => row['email'])).not.toContain(email);
});

describe('members', () => {
  let member: { token: string; key: string };
  beforeAll(async () => {
    set({});
    member = await newAgent(t, { handle: 'member' });
  });
  const invite = (body: object = {}) => call('POST', '/api/invitations', body, member.token);

  test('invite where the settings say so, ten a day, and see their own alone', async () => {
    expect((await invite()).body.error).toBe('wrong_role');
    expect((await call('GET', '/api/account', undefined, member.token)).body.may_invite).toBe(false);
    set({ signup: 'invite', members_invite: true });
    expect((await call('GET', '/api/account', undefined, member.token)).body.may_invite).toBe(true);
    const own = [];
    for (let at = 0; at < 10; at += 1) own.push(tokenOf(await invite()));
    expect((await invite()).status).toBe(429);
    const shown = await call('GET', '/api/invitations', undefined, member.token);
    expect(shown.body.map(({ by }: { by: string }) => by)).toEqual(Array(10).fill('member'));
    const all = await call('GET', '/api/invitations', undefined, await boss());
    expect(all.body.length).toBeGreaterThan(10);
    const theirs = all.body.find(({ by }: { by: string }) => by === 'admin');
    expect((await call('DELETE', `/api/invitations/${theirs.id}`, undefined, member.token)).status).toBe(404);
    expect((await accept(own[0] ?? '', 'friend@example.org')).status).toBe(200);
    expect((await join('friend@example.org')).status).toBe(200);
    // Their links open nothing where all is closed, or once members invite no more.
    for (const now of [{ signup: 'closed', members_invite: true }, { signup: 'invite' }] as const) {
      set(now);
      expect((await accept(own[1] ?? '', 'another@example.org')).status).toBe(410);
    }
  });

  test('who are suspended let nobody in', async () => {
    set({ signup: 'invite', members_invite: true });
    const email = 'asks@example.org';
    await invited({ email: 'trouble@example.org' });
    const trouble = await newAgent(t, { handle: 'trouble' });
    const made = await call('POST', '/api/invitations', { email }, trouble.token);
    expect(made.status).toBe(201);
    const { id } = (await call('GET', '/api/account', undefined, trouble.token)).body;
    const suspended = await call('POST', `/api/admin/accounts/${id}/suspend`, { reason: 'sends spam' }, await boss());
    expect(suspended.status).toBe(200);
    expect((await accept(tokenOf(made), email)).status).toBe(410);
    await call('POST', '/api/auth/signup/start', { email });
    await t.rest();
    expect(mailed(email)).toBe(0);
  });

  test('take their invitations along, and leave none behind', async () => {
    set({ signup: 'invite', members_invite: true });
    const person = await newAgent(t, { handle: 'leaver', email: 'leaver@other.example' }).catch(() => null);
    expect(person).toBeNull();
    await invited({ email: 'leaver@example.org' });
    const leaver = await newAgent(t, { handle: 'leaver' });
    const made = await call('POST', '/api/invitations', { email: 'waits@example.org' }, leaver.token);
    const whole: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: TestAnswer = await call(
        'GET',
        `/api/account/export${cursor && `?cursor=${encodeURIComponent(cursor)}`}`,
        undefined,
        leaver.token,
      );
      whole.push(JSON.stringify(page.body));
      cursor = page.headers.get('x-next-cursor') ?? page.body.next_cursor ?? null;
    }
    expect(whole.join()).toContain(made.body.id);
    expect(whole.join()).not.toContain(tokenOf(made));
    await call('DELETE', '/api/account', {}, leaver.token);
    await t.rest();
    await call('POST', '/api/auth/signup/start', { email: 'waits@example.org' });
    await t.rest();
    expect(mailed('waits@example.org')).toBe(0);
  });
});

test('whoever runs the server invites too, and what administrators do by it is written down', async () => {
  const headers = { 'X-Internal-Token': t.internal_token };
  const made = await t.call('POST', '/internal/admin/invite', { headers, body: { email: 'cli@example.org' } });
  expect([made.status, made.body.by]).toEqual([201, 'admin']);
  expect((await join('cli@example.org')).status).toBe(200);
  await invited();
  const audit = await call('GET', '/api/admin/audit?limit=5', undefined, await boss());
  const done = audit.body.map(({ by, operation }: { by: string; operation: string }) => `${by} ${operation}`);
  expect(done).toContain(`${BOSS} invitation.create`);
  expect(done).toContain('platform platform.admin_invite');
});

test('14 days later it is over', async () => {
  const email = 'slow@example.org';
  const { token } = await invited({ email });
  await t.advance(14 * DAY_MS);
  expect((await accept(token, email)).status).toBe(410);
  await call('POST', '/api/auth/signup/start', { email });
  await t.rest();
  expect(mailed(email)).toBe(0);
});
