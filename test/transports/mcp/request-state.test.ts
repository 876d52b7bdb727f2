// What a call gives its client to bring back is taken only as it was given, from whom it was given to, for the same call, and
// not for ever.

import { expect, test } from 'bun:test';
import { HOUR_MS } from '../../../src/domain/time.ts';
import { openState, type StateOwner, sealState } from '../../../src/transports/mcp/rounds.ts';

const KEY = new Uint8Array(32).fill(7);
const OWNER: StateOwner = { caller: 'key:1', method: 'tools/call', about: { name: 'mesh_x', arguments: { a: 1 } } };

test('it comes back as it was sealed, for an hour', () => {
  const sealed = sealState(KEY, OWNER, { round: 2 }, 1_000);
  expect(openState(KEY, OWNER, sealed, 1_000 + HOUR_MS - 1)).toEqual({ state: { round: 2 } });
  expect(openState(KEY, OWNER, sealed, 1_000 + HOUR_MS)).toBeUndefined();
});

test.each([
  ['another caller', { ...OWNER, caller: 'key:2' }],
  ['another method', { ...OWNER, method: 'prompts/get' }],
  ['other arguments', { ...OWNER, about: { name: 'mesh_x', arguments: { a: 2 } } }],
])('it is worth nothing to %s', (_who, owner) => {
  expect(openState(KEY, owner, sealState(KEY, OWNER, 'state', 0), 1)).toBeUndefined();
});

test('nothing that was changed or made elsewhere is taken', () => {
  const sealed = sealState(KEY, OWNER, 'state', 0);
  const [body = '', mac = ''] = sealed.split('.');
  const forged = Buffer.from('{"until":9999999999999,"state":"mine"}').toString('base64url');
  const elsewhere = sealState(new Uint8Array(32).fill(8), OWNER, 'state', 0);
  const texts = [
    '',
    '.',
    body,
    `${body}.`,
    `.${mac}`,
    `${forged}.${mac}`,
    `${sealed}-TAMPERED`,
    `${sealed}!`,
    elsewhere,
    'x'.repeat(99_999),
  ];
  for (const text of texts) expect(openState(KEY, OWNER, text, 1)).toBeUndefined();
});
