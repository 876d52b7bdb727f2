// The endpoint negotiator against a loopback server: three forms, the one that works remembered; whatever else it answers ends in no value
// within the deadline, is never thrown, and is never logged.
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import type { LogFields } from '../../src/log.ts';
import { chatUrl } from '../../src/outbound/negotiator/endpoint.ts';
import { estimateTokens, type Said } from '../../src/outbound/negotiator/negotiator.ts';
import { type AskedForm, chatAnswer, negotiatorAt, openModelDouble } from '../support/model-double.ts';

const double = openModelDouble();
afterAll(() => double.close());

const QUESTION = { name: 'negotiation_turn', system: 'Rules.', user: 'Facts.', schema: { type: 'object' } };
const isYes = (value: unknown): 'yes' | null => (JSON.stringify(value) === '{"says":"yes"}' ? 'yes' : null);
const never = new AbortController().signal;
let began = 0;
const forms = (): AskedForm[] => double.asked.slice(began).map(({ form }) => form);
beforeEach(() => {
  began = double.asked.length;
});

const lines: [string, LogFields | undefined][] = [];
const log = {
  debug: () => {},
  info: (sentence: string, fields?: LogFields) => void lines.push([sentence, fields]),
  warn: (sentence: string, fields?: LogFields) => void lines.push([sentence, fields]),
  error: (sentence: string, fields?: LogFields) => void lines.push([sentence, fields]),
};

/** Answers well in some forms, and in the others as an endpoint that does not know them. */
function knows(...known: readonly AskedForm[]): void {
  double.answer(({ form }) =>
    known.includes(form) ? chatAnswer(form, { says: 'yes' }) : new Response('unknown field', { status: 400 }),
  );
}

describe('the address', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com/v1/chat/completions'],
    ['https://api.example.com/', 'https://api.example.com/v1/chat/completions'],
    ['https://api.example.com/v1', 'https://api.example.com/v1/chat/completions'],
    ['https://host.example/openai/v3/', 'https://host.example/openai/v3/chat/completions'],
    ['http://localhost:11434/v1/chat/completions', 'http://localhost:11434/v1/chat/completions'],
    ['https://host.example/x?version=2', 'https://host.example/x/chat/completions?version=2'],
  ])('%s is asked at %s', (given, expected) => expect(chatUrl(given)).toBe(expected));
});

describe('the forms', () => {
  test('are asked for one after the other, and the one that works first from then on', async () => {
    const negotiator = negotiatorAt(double);
    knows('json_object');
    const said = await negotiator.ask(QUESTION, isYes, never);
    expect(said).toMatchObject({ value: 'yes', failure: null, requests: 3, tokens: 1_000 });
    expect(forms()).toEqual(['json_schema', 'tool', 'json_object']);
    await negotiator.ask(QUESTION, isYes, never);
    expect(forms().slice(3)).toEqual(['json_object']);
    knows('json_schema');
    expect((await negotiator.ask(QUESTION, isYes, never)).value).toBe('yes');
    expect(forms().slice(4)).toEqual(['json_object', 'json_schema']);
  });

  test.each<AskedForm>(['json_schema', 'tool', 'json_object'])('%s alone is enough', async (form) => {
    knows(form);
    expect((await negotiatorAt(double).ask(QUESTION, isYes, never)).value).toBe('yes');
    const last = double.asked.at(-1);
    expect([last?.path, last?.key, last?.body.model]).toEqual(['/v1/chat/completions', 'Bearer hush', 'm-1']);
  });

  test('that are all answered with something else give no value, and what it cost', async () => {
    double.answer(({ form }) => chatAnswer(form, { says: 'no' }));
    const negotiator = negotiatorAt(double);
    const said = await negotiator.ask(QUESTION, isYes, never);
    expect(said).toMatchObject({ value: null, requests: 3, tokens: 3_000 });
    expect(said.failure).toContain('shape');
    // The endpoint did as it should; the next question may fare better.
    expect(negotiator.rests()).toBe(false);
  });

  test('that are all refused let it rest', async () => {
    knows();
    const negotiator = negotiatorAt(double);
    expect((await negotiator.ask(QUESTION, isYes, never)).failure).toBe('it answered 400');
    expect(negotiator.rests()).toBe(true);
  });

  test('a limit under another name is found out', async () => {
    double.answer(({ form, body }) =>
      'max_tokens' in body
        ? new Response('use max_completion_tokens', { status: 400 })
        : chatAnswer(form, { says: 'yes' }),
    );
    expect((await negotiatorAt(double).ask(QUESTION, isYes, never)).value).toBe('yes');
    expect(forms()).toEqual(['json_schema', 'json_schema']);
  });
});

describe('what is no answer', () => {
  const body = (message: object, finish_reason = 'stop'): Response =>
    Response.json({ choices: [{ finish_reason, message }] });
  const cases: readonly (readonly [string, () => Response, number, boolean])[] = [
    ['401', () => new Response('no', { status: 401 }), 1, true],
    ['429', () => new Response('later', { status: 429 }), 1, true],
    ['500', () => new Response('oops', { status: 500 }), 1, true],
    ['a redirect', () => Response.redirect('http://127.0.0.1:9/'), 1, true],
    ['no JSON', () => new Response('<html>'), 3, false],
    ['no choices', () => Response.json({ choices: [] }), 3, false],
    ['prose around it', () => body({ content: 'Sure: {"says":"yes"}' }), 3, false],
    ['a cut-off answer', () => body({ content: '{"says":"yes"}' }, 'length'), 3, false],
    ['a refusal', () => body({ content: '{"says":"yes"}', refusal: 'I will not.' }), 1, false],
    ['more than 64 KiB', () => body({ content: `{"says":"yes"}${' '.repeat(70_000)}` }), 1, false],
  ];
  test.each(cases)('%s', async (_name, response, requests, rests) => {
    double.answer(response);
    const negotiator = negotiatorAt(double);
    const said = await negotiator.ask(QUESTION, isYes, never);
    expect([said.value, said.requests, negotiator.rests()]).toEqual([null, requests, rests]);
    expect(said.failure).toBeString();
  });

  test('one that comes too late: the deadline holds for all forms together', async () => {
    double.answer(() => new Promise<Response>(() => {}));
    const negotiator = negotiatorAt(double, { timeout_ms: 150 });
    const began_ms = performance.now();
    const said = await negotiator.ask(QUESTION, isYes, never);
    expect(performance.now() - began_ms).toBeLessThan(2_000);
    expect(said).toMatchObject({ value: null, failure: 'it gave no answer: timeout', requests: 1 });
    // It may have been worked on, so it is taken to have cost what it could.
    expect(said.tokens).toBeGreaterThan(estimateTokens('Rules.Facts.'));
  });

  test('a failure is told once, without a word of what was asked or answered, and tried again after half a minute', async () => {
    lines.length = 0;
    let now = 0;
    const negotiator = negotiatorAt(double, { log, now: () => now });
    const ask = (): Promise<Said<'yes'>> => negotiator.ask({ ...QUESTION, user: 'secret-facts' }, isYes, never);
    double.answer(() => new Response('secret-answer', { status: 503 }));
    await ask();
    expect(negotiator.rests()).toBe(true);
    now = 29_000;
    expect(negotiator.rests()).toBe(true);
    now = 30_000;
    expect(negotiator.rests()).toBe(false);
    await ask();
    knows('json_schema');
    await ask();
    expect(lines).toEqual([
      ['The model endpoint failed; the built-in rules answer for it.', { error_text: 'it answered 503' }],
      ['The model endpoint answers again.', undefined],
    ]);
  });
});

test('tokens are estimated where the endpoint does not count them', async () => {
  double.answer(({ form }) => chatAnswer(form, { says: 'yes' }, null));
  const { tokens } = await negotiatorAt(double).ask(QUESTION, isYes, never);
  expect(tokens).toBeGreaterThan(50);
});
