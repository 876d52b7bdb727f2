// The reader of HTTP/1.1 answers: however an answer is cut into reads, it is read as the same; what is not exactly in the form is
// refused.
import { describe, expect, test } from 'bun:test';
import { AnswerReader, type Limits } from '../../src/outbound/safe-http/answer.ts';

const LIMITS: Limits = { method: 'POST', bytes_max: 100 };

/** What is read of these parts, each a read of the connection. */
function readAll(parts: readonly string[], limits = LIMITS): unknown {
  const reader = new AnswerReader(limits);
  let said: unknown = 'more';
  for (const part of parts) {
    said = reader.read(Buffer.from(part, 'latin1'));
    if (said !== 'more') break;
  }
  if (said === 'more') said = reader.endsWhole() ? 'whole' : 'unfinished';
  if (said !== 'whole') return typeof said === 'object' && said !== null && 'reason' in said ? said.reason : said;
  const { status, headers, reusable } = reader;
  return { status, headers: { ...headers }, body: Buffer.from(reader.body).toString('latin1'), reusable };
}

const OK = 'HTTP/1.1 200 OK\r\n';

describe('an answer', () => {
  const read = (status: number, headers: Record<string, string>, body: string, reusable: boolean) => {
    return { status, headers, body, reusable };
  };
  const ANSWERS: readonly [string, string, unknown][] = [
    ['with a length', `${OK}Content-Length: 2\r\n\r\nok`, read(200, { 'content-length': '2' }, 'ok', true)],
    ['without a body', 'HTTP/1.1 204\r\nA: b\r\n\r\n', read(204, { a: 'b' }, '', true)],
    [
      'in chunks, with extensions and trailers',
      `${OK}Transfer-Encoding: Chunked\r\n\r\n002;a=b\r\nok\r\nA \r\n0123456789\r\n0\r\nT: v\r\n\r\n`,
      read(200, { 'transfer-encoding': 'Chunked' }, 'ok0123456789', true),
    ],
    ['to its end', 'HTTP/1.0 200 OK\r\n\r\nall of it', read(200, {}, 'all of it', false)],
    [
      'after others',
      `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${OK}Content-Length: 0\r\n\r\n`,
      read(200, { 'content-length': '0' }, '', true),
    ],
    [
      'whose connection closes',
      `${OK}Connection: Close\r\nContent-Length: 1\r\n\r\nx`,
      read(200, { connection: 'Close', 'content-length': '1' }, 'x', false),
    ],
    [
      'with a header several times, and one named as no other object has it',
      'HTTP/1.1 304 Not Modified\r\nA: b\r\na:\tc \r\nconstructor: d\r\n\r\n',
      read(304, { a: 'b, c', constructor: 'd' }, '', true),
    ],
  ];

  test.each(ANSWERS)('%s is read, in one piece and cut at every byte', (_what, text, told) => {
    expect(readAll([text])).toEqual(told);
    expect(readAll([...text])).toEqual(told);
    for (let at = 1; at < text.length; at++) expect(readAll([text.slice(0, at), text.slice(at)])).toEqual(told);
  });

  test('to a HEAD has no body, whatever it announces', () => {
    expect(readAll([`${OK}Content-Length: 5000\r\n\r\n`], { method: 'HEAD', bytes_max: 1 })).toMatchObject({
      body: '',
    });
  });

  test('that more follows leaves no connection for another request', () => {
    expect(readAll([`${OK}Content-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n`])).toMatchObject({
      body: 'ok',
      reusable: false,
    });
  });

  test('that may be cut is read up to its cap', () => {
    const reader = new AnswerReader({ method: 'POST', bytes_max: 3, cut: true });
    expect(reader.read(Buffer.from(`${OK}Content-Length: 2000\r\n\r\nabcdef`))).toMatchObject({ reason: 'too_large' });
    expect(Buffer.from(reader.body).toString()).toBe('abc');
  });
});

describe('what is in no form is refused', () => {
  const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 'reset'],
    ['another version', 'HTTP/2.0 200 OK\r\n\r\n', 'reset'],
    ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', 'reset'],
    ['a status below 100', 'HTTP/1.1 099 OK\r\n\r\n', 'reset'],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\n\r\n', 'reset'],
    ['a line without a colon', `${OK}Content-Length\r\n\r\n`, 'reset'],
    ['a blank before the colon', `${OK}Content-Length : 2\r\n\r\nok`, 'reset'],
    ['a folded line', `${OK}A: b\r\n c\r\n\r\n`, 'reset'],
    ['a line feed alone', `${OK}A: b\nContent-Length: 2\r\n\r\nok`, 'reset'],
    ['a zero byte', `${OK}A: b\0\r\n\r\n`, 'reset'],
    ['two lengths', `${OK}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`, 'reset'],
    ['a length that is no number', `${OK}Content-Length: 0x2\r\n\r\nok`, 'reset'],
    ['a negative length', `${OK}Content-Length: -2\r\n\r\nok`, 'reset'],
    ['a length beside chunks', `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nok`, 'reset'],
    ['a coding that was not asked for', `${OK}Transfer-Encoding: gzip, chunked\r\n\r\nok`, 'reset'],
    ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 'reset'],
    ['a chunk without a size', `${CHUNKED}\r\nok\r\n0\r\n\r\n`, 'reset'],
    ['a chunk longer than its size', `${CHUNKED}2\r\nokay\r\n0\r\n\r\n`, 'reset'],
    ['a chunk of more than any number', `${CHUNKED}fffffffffffffffff\r\nok`, 'reset'],
    ['a body above the cap', `${CHUNKED}65\r\n${'x'.repeat(101)}\r\n0\r\n\r\n`, 'too_large'],
    ['a length above the cap', `${OK}Content-Length: 101\r\n\r\n`, 'too_large'],
    ['a long header', `${OK}A: ${'b'.repeat(20_000)}\r\n\r\n`, 'too_large'],
    ['a header without end', `${OK}A: ${'b'.repeat(20_000)}`, 'too_large'],
    ['long trailers', `${CHUNKED}0\r\n${`A: ${'b'.repeat(1_000)}\r\n`.repeat(20)}\r\n`, 'too_large'],
    ['interim answers without end', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(9), 'too_large'],
    ['an end within the header', `${OK}Content-Length: 2\r\n`, 'unfinished'],
    ['an end within the body', `${OK}Content-Length: 2\r\n\r\no`, 'unfinished'],
    ['an end within the chunks', `${CHUNKED}2\r\nok\r\n`, 'unfinished'],
    ['nothing', '', 'unfinished'],
  ])('%s', (_what, text, told) => {
    expect(readAll([text])).toBe(told);
    expect(readAll([...text])).toBe(told);
  });
});
