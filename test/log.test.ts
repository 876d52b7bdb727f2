// The log lets through what is on its list, and nothing else.

import { expect, test } from 'bun:test';
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

test('the level is kept', () => {
  expect(logged((log) => log.debug('unseen'))).toBe('');
});

test('text is one line with the fields behind the sentence, quoted where they need it', () => {
  const line = logged((log) => log.warn('slow', { operation: 'a b', duration_ms: 12 }), 'text');
  expect(line).toMatch(/^\S+Z warn {2}slow operation="a b" duration_ms=12\n$/);
  expect(logText('{"time":"T","level":"info","msg":"m"}')).toBe('T info  m\n');
});
