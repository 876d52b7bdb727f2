// The log lets through what is on its list, and nothing else.

import { expect, jest, test } from 'bun:test';
import { StoreUnavailable } from '../db/unavailable.ts';
import { createLog, errorFields, logText } from '../src/log.ts';

function logged(tell: (log: ReturnType<typeof createLog>) => void, format: 'text' | 'json' = 'json'): string {
  const lines: string[] = [];
  tell(createLog('info', format, { write: (line) => void lines.push(line) }));
  return lines.join('');
}

test('a field that is not on the list is dropped', () => {
  const fields = { status: 200, api_key: 'mesh_live_hush', body: { code: '123456' } };
  const line: unknown = JSON.parse(logged((log) => log.info('answered', fields)));
  expect(line).toEqual({ level: 'info', time: expect.any(String), status: 200, msg: 'answered' });
});

test('a long field is cut', () => {
  expect(logged((log) => log.info('x', { url: 'u'.repeat(5000) })).length).toBeLessThan(500);
});

test('an error of a parser does not quote what it read', () => {
  try {
    JSON.parse('{"code": hush}');
  } catch (error) {
    const line = logged((log) => log.error('broke', errorFields(error)));
    expect(line).toContain('"error":"SyntaxError"');
    expect(line).not.toContain('hush');
  }
  expect.assertions(2);
});

test('an error of the system tells its text', () => {
  const error = Object.assign(new Error('listen EADDRINUSE'), { syscall: 'listen' });
  expect(errorFields(error)).toMatchObject({ error: 'Error', error_text: 'listen EADDRINUSE' });
});

test('an error of the store names its cause once, and how often it was met after that', () => {
  jest.useFakeTimers();
  try {
    const full = Object.assign(new Error('database or disk is full'), { name: 'SQLiteError', code: 'SQLITE_FULL' });
    const away = new StoreUnavailable('the file is not to be had', { cause: full });
    const lines: string[] = [];
    const log = createLog('info', 'json', { write: (line) => void lines.push(line) });
    for (let n = 0; n < 500; n++) log.error('an operation failed', errorFields(away));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ store_code: 'SQLITE_FULL', error_text: full.message });
    jest.advanceTimersByTime(60_000);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ store_code: 'SQLITE_FULL', count: 499 });
    expect(log.store_errors?.get('SQLITE_FULL')).toBe(500);
    jest.advanceTimersByTime(600_000);
    expect(lines).toHaveLength(2);
    log.error('an operation failed', errorFields(away));
    expect(lines).toHaveLength(3);
  } finally {
    jest.useRealTimers();
  }
});

test('an error of PostgreSQL tells its code, and its text only where the store is away', () => {
  const taken = Object.assign(new Error('Key (email)=(a@example.org) exists'), {
    name: 'PostgresError',
    errno: '23505',
  });
  expect(errorFields(taken)).toMatchObject({ store_code: '23505' });
  expect(errorFields(taken).error_text).toBeUndefined();
  const cause = Object.assign(new Error('could not extend file'), { name: 'PostgresError', errno: '53100' });
  const full = errorFields(new StoreUnavailable('the disk is full', { cause }));
  expect(full).toMatchObject({ store_code: '53100', error_text: 'could not extend file' });
});

test('the level is kept', () => {
  expect(logged((log) => log.debug('unseen'))).toBe('');
});

test('text is one line with the fields behind the sentence, quoted where they need it', () => {
  const line = logged((log) => log.warn('slow', { operation: 'a b', duration_ms: 12 }), 'text');
  expect(line).toMatch(/^\S+Z warn {2}slow operation="a b" duration_ms=12\n$/);
  expect(logText('{"time":"T","level":"info","msg":"m"}')).toBe('T info  m\n');
});
