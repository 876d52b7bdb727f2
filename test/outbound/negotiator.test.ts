// The endpoint negotiator against a loopback server: three forms, the one that works remembered; whatever else it answers ends in no value
// within the deadline, is never thrown, and is never logged.
import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import type { LogFields } from '../../src/log.ts';
import { chatUrl, createEndpointNegotiator, readText } from '../../src/outbound/negotiator/endpoint.ts';
import { estimateTokens, type Said, type Use } from '../../src/outbound/negotiator/negotiator.ts';
import type { SafeReply, SafeRequest } from '../../src/outbound/safe-http/safe-http.ts';
import { type AskedForm, chatAnswer, negotiatorAt, openModelDouble } from '../support/model-double.ts';

const double = openModelDouble();
afterAll(() => double.close());

const QUESTION = { name: 'negotiation_turn', system: 'Rules.', user: 'Facts.', schema: { type: 'object' } };
const isYes = (value: unknown): 'yes' | null => (JSON.stringify(value) === '{"says":"yes"}' ? 'yes' : null);
const never = new AbortController().signal;
const always = async (): Promise<boolean> => true;
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
    const said = await negotiator.ask(QUESTION, isYes, always, never);
    expect(said).toMatchObject({ value: 'yes', failure: null, requests: 3, tokens: 1_000 });
    expect(forms()).toEqual(['json_schema', 'tool', 'json_object']);
    await negotiator.ask(QUESTION, isYes, always, never);
    expect(forms().slice(3)).toEqual(['json_object']);
    knows('json_schema');
    expect((await negotiator.ask(QUESTION, isYes, always, never)).value).toBe('yes');
    expect(forms().slice(4)).toEqual(['json_object', 'json_schema']);
  });

  test.each<AskedForm>(['json_schema', 'tool', 'json_object'])('%s alone is enough', async (form) => {
    knows(form);
    expect((await negotiatorAt(double).ask(QUESTION, isYes, always, never)).value).toBe('yes');
    const last = double.asked.at(-1);
    expect([last?.path, last?.key, last?.body.model]).toEqual(['/v1/chat/completions', 'Bearer hush', 'm-1']);
  });

  test('that are all answered with something else give no value, and what it cost', async () => {
    double.answer(({ form }) => chatAnswer(form, { says: 'no' }));
    const negotiator = negotiatorAt(double);
    const said = await negotiator.ask(QUESTION, isYes, always, never);
    expect(said).toMatchObject({ value: null, requests: 3, tokens: 3_000 });
    expect(said.failure).toContain('shape');
    // The endpoint did as it should; the next question may fare better.
    expect(negotiator.rests()).toBe(false);
  });

  // What endpoints say to a form that they do not know: OpenAI, Azure, Ollama and LM Studio 400, OpenRouter 404, others that check what they
  // are sent 422, llama.cpp and vLLM 500, proxies 405 and 501.
  test.each([400, 404, 405, 406, 415, 422, 500, 501])(
    'one that is answered with %p is followed by the next',
    async (status) => {
      double.answer(({ form }) =>
        form === 'json_object' ? chatAnswer(form, { says: 'yes' }) : new Response('unknown', { status }),
      );
      const negotiator = negotiatorAt(double);
      expect((await negotiator.ask(QUESTION, isYes, always, never)).value).toBe('yes');
      expect((await negotiator.ask(QUESTION, isYes, always, never)).value).toBe('yes');
      expect(forms()).toEqual(['json_schema', 'tool', 'json_object', 'json_object']);
    },
  );

  test('that are all refused let it rest, and then each question tries one, another each time', async () => {
    for (const status of [400, 404, 500]) {
      began = double.asked.length;
      double.answer(() => new Response('no', { status }));
      const negotiator = negotiatorAt(double);
      expect((await negotiator.ask(QUESTION, isYes, always, never)).failure).toBe(`it answered ${status}`);
      expect(negotiator.rests()).toBe(true);
      expect(forms()).toEqual(['json_schema', 'tool', 'json_object']);
      for (let n = 0; n < 4; n += 1) await negotiator.ask(QUESTION, isYes, always, never);
      expect(forms().slice(3)).toEqual(['json_schema', 'tool', 'json_object', 'json_schema']);
      // It is up again, and knows one of them.
      knows('json_object');
      for (let n = 0; n < 3; n += 1) await negotiator.ask(QUESTION, isYes, always, never);
      expect(forms().slice(7)).toEqual(['tool', 'json_object', 'json_object']);
    }
  });

  test('of which one has worked are not doubted for one failure of the endpoint, but for the second', async () => {
    const negotiator = negotiatorAt(double);
    knows('tool');
    await negotiator.ask(QUESTION, isYes, always, never);
    double.answer(({ form }) =>
      form === 'tool' ? new Response('oops', { status: 500 }) : chatAnswer(form, { says: 'yes' }),
    );
    expect((await negotiator.ask(QUESTION, isYes, always, never)).value).toBeNull();
    expect([forms().slice(2), negotiator.rests()]).toEqual([['tool'], true]);
    expect((await negotiator.ask(QUESTION, isYes, always, never)).value).toBe('yes');
    expect(forms().slice(3)).toEqual(['tool', 'json_object']);
  });

  test('a limit under another name is found out, by a request that is counted', async () => {
    double.answer(({ form, body }) =>
      'max_tokens' in body
        ? new Response('use max_completion_tokens', { status: 400 })
        : chatAnswer(form, { says: 'yes' }),
    );
    const negotiator = negotiatorAt(double);
    expect(await negotiator.ask(QUESTION, isYes, always, never)).toMatchObject({
      value: 'yes',
      requests: 2,
      tokens: 1_000,
    });
    expect(forms()).toEqual(['json_schema', 'json_schema']);
    expect((await negotiator.ask(QUESTION, isYes, always, never)).requests).toBe(1);
  });

  test('are each asked for only where it may be used, with the most that the question has used then', async () => {
    knows('json_object');
    const most: Use[] = [];
    const negotiator = negotiatorAt(double);
    const twice = async (use: Use): Promise<boolean> => most.push(use) < 3;
    const said = await negotiator.ask(QUESTION, isYes, twice, never);
    expect(said).toMatchObject({ value: null, failure: 'the limit of the day is reached', requests: 2, tokens: 0 });
    expect(forms()).toEqual(['json_schema', 'tool']);
    expect(most.map(({ requests }) => requests)).toEqual([1, 2, 3]);
    // What a form was refused for has used nothing.
    for (const { tokens } of most) expect(tokens).toBeWithin(1_500, 1_800);
    // And what was answered stays used.
    double.answer(({ form }) => chatAnswer(form, { says: 'no' }));
    most.length = 0;
    await negotiatorAt(double).ask(QUESTION, isYes, twice, never);
    expect(most[1]?.tokens).toBeWithin(2_500, 2_800);
  });

  test('have one deadline together, whatever they are asked for anew', async () => {
    let now = 0;
    const given: number[] = [];
    const http = {
      request: async ({ deadline_ms = 0 }: SafeRequest): Promise<SafeReply> => {
        given.push(deadline_ms);
        now += 6_000;
        const body = new TextEncoder().encode('use max_completion_tokens');
        return { ok: true, status: 400, headers: {}, body, took_ms: 0 };
      },
      close: () => {},
    };
    const settings = { url: double.url, model: 'm-1', http, log, timeout_ms: 20_000, now: () => now };
    const said = await createEndpointNegotiator(settings).ask(QUESTION, isYes, always, never);
    expect([given, said.requests]).toEqual([[20_000, 14_000, 8_000, 2_000], 4]);
  });
});

describe('an answer that is not JSON alone', () => {
  const yes = '{"says":"yes"}';
  test.each<[string, string, boolean]>([
    ['in a fence', `\`\`\`json\n${yes}\n\`\`\``, true],
    ['in a fence without a name', `\`\`\`\n${yes}\n\`\`\`\n`, true],
    ['in a fence with words around it', `Here it is:\n\`\`\`JSON\n${yes}\n\`\`\`\nAnything else?`, true],
    ['behind a thought', `<think>\nThey said {"says":"no"}.\n</think>\n\n${yes}`, true],
    ['behind a thought whose begin was cut', `I should say yes.\n</think>${yes}`, true],
    ['behind a thought and in a fence', `<think>\`\`\`{}\`\`\`</think>\`\`\`json\n${yes}\`\`\``, true],
    ['in prose', `Sure: ${yes}`, false],
    ['as part of a thought that never ends', `<think>\`\`\`json\n${yes}\n\`\`\``, false],
    ['in one of two fences', `\`\`\`\n${yes}\n\`\`\`\n\`\`\`\n{}\n\`\`\``, false],
    ['in a fence that does not end', `\`\`\`json\n${yes}`, false],
    ['twice', `${yes}${yes}`, false],
    ['twice in a fence', `\`\`\`\n${yes}\n${yes}\n\`\`\``, false],
  ])('%s', async (_name, text, is_read) => {
    double.answer(({ form }) => chatAnswer(form, text));
    expect((await negotiatorAt(double).ask(QUESTION, isYes, always, never)).value).toBe(is_read ? 'yes' : null);
  });

  test('is read in one pass, however it is built', () => {
    const texts = [
      '`'.repeat(60_000),
      '```'.repeat(20_000),
      '<think>'.repeat(9_000),
      '</think>'.repeat(8_000),
      '{'.repeat(60_000),
    ];
    const began_ms = performance.now();
    for (const text of texts) expect(readText(text)).toBeUndefined();
    expect(performance.now() - began_ms).toBeLessThan(1_000);
  });
});

describe('what is no answer', () => {
  const body = (message: object, finish_reason = 'stop'): Response =>
    Response.json({ choices: [{ finish_reason, message }] });
  const cases: readonly (readonly [string, () => Response, number, boolean])[] = [
    ['401', () => new Response('no', { status: 401 }), 1, true],
    ['429', () => new Response('later', { status: 429 }), 1, true],
    ['403', () => new Response('no', { status: 403 }), 1, true],
    ['500', () => new Response('oops', { status: 500 }), 3, true],
    ['502', () => new Response('oops', { status: 502 }), 1, true],
    ['413', () => new Response('too much', { status: 413 }), 1, false],
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
    const said = await negotiator.ask(QUESTION, isYes, always, never);
    expect([said.value, said.requests, negotiator.rests()]).toEqual([null, requests, rests]);
    expect(said.failure).toBeString();
  });

  test('one that comes too late: the deadline holds for all forms together', async () => {
    double.answer(() => new Promise<Response>(() => {}));
    const negotiator = negotiatorAt(double, { timeout_ms: 150 });
    const began_ms = performance.now();
    const said = await negotiator.ask(QUESTION, isYes, always, never);
    expect(performance.now() - began_ms).toBeLessThan(2_000);
    expect(said).toMatchObject({ value: null, failure: 'it gave no answer: timeout', requests: 1 });
    // It may have been worked on, so it is taken to have cost what it could.
    expect(said.tokens).toBeGreaterThan(estimateTokens('Rules.Facts.'));
  });

  test('a failure is told once, without a word of what was asked or answered, and tried again after half a minute', async () => {
    lines.length = 0;
    let now = 0;
    const negotiator = negotiatorAt(double, { log, now: () => now });
    const ask = (): Promise<Said<'yes'>> => negotiator.ask({ ...QUESTION, user: 'secret-facts' }, isYes, always, never);
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
  const { tokens } = await negotiatorAt(double).ask(QUESTION, isYes, always, never);
  expect(tokens).toBeGreaterThan(50);
});
