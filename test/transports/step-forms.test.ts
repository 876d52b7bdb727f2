// Guarantees of next steps: a reply or refusal carries operation and input, each door says its own call, and what the REST
// door says is a call of a route that exists.
import { describe, expect, test } from 'bun:test';
import { Type } from 'typebox';
import { onboarding, VERIFICATION_HOW, verificationRequired } from '../../src/domain/agent/onboarding.ts';
import { fault } from '../../src/domain/fault.ts';
import { guide, NEXT_OPERATIONS, type NextStep, prefixed, step } from '../../src/domain/next-step.ts';
import { checkSteps, registry } from '../../src/operations/registry.ts';
import { platformCard } from '../../src/schemas/agent-card.ts';
import {
  guidanceShape,
  guidanceText,
  shownFault,
  shownShape,
  shownStep,
  showOf,
  stepShape,
} from '../../src/schemas/next-step.ts';
import { restCall, restForm } from '../../src/transports/rest.ts';
import { toolForm } from '../../src/transports/tools.ts';

const rest = restForm(registry());
const tools = toolForm(registry());
const NOTHING_DONE = { email: false, handle: false, intake: false, verification: false };

const PROVE =
  'The human signs in and proves one thing, for instance a phone: POST /api/trust/phone/send {"phone"}, then ' +
  'POST /api/trust/phone/verify {"phone", "code"} with the code from the text message. An API key cannot do this.';

describe('the REST door', () => {
  test('says each step of onboarding by its routes', () => {
    const { steps } = onboarding(NOTHING_DONE, '/app');
    expect(steps.map(({ how }) => guidanceText(how, rest))).toEqual([
      'POST /api/auth/signup/start {"email"}, then POST /api/auth/signup/verify {"email", "code"} with the mailed code.',
      'GET /api/agents/check/{handle} to see whether it is free, then POST /api/agents {"handle", "display_name"}.',
      'GET /api/onboarding/intake for the questions, then POST /api/onboarding/intake with both offers and seeks.',
      PROVE,
    ]);
  });

  test('says the API reference for a call that another version kept and this one does not know', () => {
    const kept: NextStep = JSON.parse('{"operation":"domain.verify","input":{"domain":"a.example"}}');
    expect(rest.text(kept)).toBe('GET /docs');
    expect(rest.fields(kept)).toEqual({ method: 'GET', path: '/docs', body: null });
    expect(tools.text(kept)).toBe('GET /docs');
  });

  test('says what a refusal names, in its message and beside it, and leaves all else alone', () => {
    expect(shownFault(verificationRequired(), rest)).toEqual({
      fault: 'verification_required',
      message: 'Complete one verification first.',
      data: {
        how: 'Prove one credential: POST /api/trust/phone/send with a session, or see GET /api/onboarding/status for every way.',
      },
    });
    const refusal = fault('not_found', guide`Make one with ${step('agent.create')}.`, { limit: 3 });
    expect(shownFault(refusal, rest)).toEqual({
      fault: 'not_found',
      message: 'Make one with POST /api/agents.',
      data: { limit: 3 },
    });
  });

  test('says what the platform offers', () => {
    const settings = { platform_handle: 'mesh', profile_url: '/u', instance: { name: 'Meshwork' } };
    const card = platformCard(settings as Parameters<typeof platformCard>[0], 0);
    expect(card.skills.map(({ description }) => guidanceText(description, rest))).toEqual([
      'POST /api/auth/signup/start gets a key by mail; GET /api/onboarding/status lists the remaining steps.',
      'GET /api/registry lists agents, GET /.well-known/agent.json?handle= is the card of each, /openapi.json the rest.',
    ]);
  });

  test.each<[NextStep, string, unknown]>([
    [
      { operation: 'inbox.respond', input: { event_id: 'e', action: 'saved' } },
      'POST /api/inbox/e/respond {"action": "saved"}',
      { method: 'POST', path: '/api/inbox/e/respond', body: { action: 'saved' } },
    ],
    [
      { operation: 'match.feedback', input: { match_id: 'm' }, fill: ['action'] },
      'POST /api/matching/feedback {"match_id": "m", "action"}',
      { method: 'POST', path: '/api/matching/feedback', body: { match_id: 'm' } },
    ],
    [
      { operation: 'conversation.read', input: { conversation_id: 'c' } },
      'GET /api/conversations/c',
      { method: 'GET', path: '/api/conversations/c', body: null },
    ],
    [
      { operation: 'agent.card', input: { handle: 'a b' } },
      'GET /.well-known/agent.json?handle=a%20b',
      { method: 'GET', path: '/.well-known/agent.json?handle=a%20b', body: null },
    ],
    [
      { operation: 'handle.check', input: { handle: 'a/b' } },
      'GET /api/agents/check/a%2Fb',
      { method: 'GET', path: '/api/agents/check/a%2Fb', body: null },
    ],
    [
      { operation: 'onboarding.status', credential: true },
      'GET /api/onboarding/status',
      { method: 'GET', path: '/api/onboarding/status', body: null },
    ],
  ])('puts what is known of %j where the route takes it', (next, text, fields) => {
    expect(rest.text(next)).toBe(text);
    expect(rest.fields(next)).toEqual(fields as ReturnType<typeof rest.fields>);
  });

  test('says a call of each operation that a caller may be sent to', () => {
    for (const operation of NEXT_OPERATIONS) expect(rest.text({ operation })).toMatch(/^(GET|POST|PATCH) \//);
  });
});

test('the service does not start while a next step has no operation, or one that nobody reaches', () => {
  const without = registry().filter(({ name }) => name !== 'phone.send');
  expect(() => checkSteps(registry())).not.toThrow();
  expect(() => checkSteps(without)).toThrow('phone.send: a next step without a route');
  expect(() => checkSteps([...without, { name: 'phone.send', rest: [] }])).toThrow('phone.send');
});

describe('a door of tools', () => {
  test('says the tool and its arguments', () => {
    const next: NextStep = { operation: 'message.send', input: { conversation_id: 'c' }, fill: ['content'] };
    expect(tools.text(next)).toBe('mesh_send_message {"conversation_id": "c", "content"}');
    expect(tools.fields(next)).toEqual({ tool: 'mesh_send_message', arguments: { conversation_id: 'c' } });
    expect(tools.text(step('onboarding.intake'))).toBe('mesh_intake');
  });

  test('says the address of what no tool reaches, and that a session is needed', () => {
    expect(guidanceText(VERIFICATION_HOW, tools)).toContain(
      'POST /api/trust/phone/send {"phone"} with a session, then',
    );
    expect(tools.fields({ operation: 'phone.send', input: { phone: '+1' } })).toEqual({
      method: 'POST',
      path: '/api/trust/phone/send',
      body: { phone: '+1' },
    });
  });
});

test('a door of tools picks the tool that is for the call, and leaves out what that one sets', () => {
  const input = { type: 'object', properties: { id: {}, active: {}, words: {} } };
  const base = { set: 'listings', title: '' } as const;
  const operation = {
    ...registry().find(({ name }) => name === 'phone.send'),
    input,
    tools: [
      { ...base, name: 'mesh_pause', fixed: { active: false }, takes: ['id'], rename: { listing: 'id' } },
      { ...base, name: 'mesh_mark', when: { argument: 'action', is: 'say' }, takes: ['words'] },
      { ...base, name: 'mesh_edit', when: { argument: 'words', given: true } },
    ],
  };
  const form = toolForm([operation as never]);
  const told = (known: Record<string, unknown>, ...fill: string[]) =>
    form.text({ operation: 'phone.send', input: known, fill });
  expect(told({ active: false }, 'id')).toBe('mesh_pause {"listing"}');
  expect(told({ words: 'a' })).toBe('mesh_mark {"action": "say", "words": "a"}');
  expect(told({ id: 'a' }, 'words')).toBe('mesh_edit {"id": "a", "words"}');
  expect(told({ id: 'a' })).toBe('POST /api/trust/phone/send {"id": "a"} with a session');
});

describe('a reply', () => {
  const Reply = Type.Object({
    how: Type.Optional(guidanceShape()),
    about: Type.Union([
      Type.Array(stepShape('a call', { label: Type.String() }, { more: Type.Optional(Type.String()) }, 'with_body')),
      Type.Object({ first: Type.Union([guidanceShape(), Type.Null()]) }),
    ]),
    data: Type.Record(Type.String(), Type.Unknown()),
  });
  const show = showOf(Reply);
  const next = { operation: 'phone.send', input: { phone: '+1' } } as const;

  test('has its calls said where its schema marks them, and nowhere else', () => {
    const data = { how: guide`${next}`, operation: 'phone.send', input: {} };
    expect(show({ how: guide`Do ${next}.`, about: [{ label: 'Go', ...next, more: '!' }], data }, rest)).toEqual({
      how: 'Do POST /api/trust/phone/send {"phone": "+1"}.',
      about: [{ label: 'Go', method: 'POST', path: '/api/trust/phone/send', body: { phone: '+1' }, more: '!' }],
      data,
    });
    expect(show({ about: { first: guide`${next}!` }, data: {} }, rest)).toEqual({
      about: { first: 'POST /api/trust/phone/send {"phone": "+1"}!' },
      data: {},
    });
  });

  test('keeps the order of its fields, and says the same once it was kept as JSON', () => {
    const reply = { data: {}, about: [{ label: 'Go', ...next }], how: prefixed('Now: ', guide`${next}`) };
    const text = JSON.stringify(show(reply, rest));
    expect(Object.keys(JSON.parse(text))).toEqual(['data', 'about', 'how']);
    expect(JSON.stringify(show(JSON.parse(JSON.stringify(reply)), rest))).toBe(text);
    expect(Object.keys(shownStep({ ...next }, rest))).toEqual(['method', 'path', 'body']);
  });

  test('is handed back as it is where it holds no call', () => {
    const reply = { how: 'Wait.', about: [], data: {} };
    expect(show(reply, rest)).toBe(reply);
    const plain = { a: [{ b: 1 }] };
    expect(showOf(Type.Object({ a: Type.Array(Type.Object({ b: Type.Number() })) }))(plain, rest)).toBe(plain);
  });

  test('is documented as it is shown', () => {
    expect(shownShape(guidanceShape({ description: 'how' }), restCall)).toEqual(Type.String({ description: 'how' }));
    expect(shownShape(stepShape('a call', { label: Type.String() }, {}, 'with_body'), restCall)).toEqual(
      Type.Object({ label: Type.String(), ...restCall(false) }, { description: 'a call' }),
    );
    expect(shownShape(Type.Object({ a: Type.String() }), restCall)).toBeNull();
  });
});
