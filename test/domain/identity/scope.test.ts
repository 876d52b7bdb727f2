// Guarantees of scopes: what each kind of key holds, and that nothing else is a scope.
import { expect, test } from 'bun:test';
import { scopesOnPlan } from '../../../src/domain/identity/plan.ts';
import { isScope, PRO_SCOPES, SCOPES, SIGNUP_SCOPES } from '../../../src/domain/identity/scope.ts';
import { naughtyStrings } from '../../support/corpus.ts';

test('a key minted at signup holds the fifteen scopes of the interface, none of which spends', () => {
  expect(SIGNUP_SCOPES.join(' ')).toBe(
    'discovery:read marketplace:read agents:read agents:write listings:write matching:run conversations:read ' +
      'conversations:write messages:write webhooks:write router:read router:call router:provide deals:read deals:write',
  );
});

test('the Pro scopes are on top of it and complete the list without repeats', () => {
  expect(new Set(SCOPES).size).toBe(SIGNUP_SCOPES.length + PRO_SCOPES.length);
});

test('the Pro scopes of a key rest while its account is not on the plan', () => {
  const held = ['agents:read', 'payments:write', 'export:read'];
  expect([...scopesOnPlan(held, 'free')]).toEqual(['agents:read']);
  expect([...scopesOnPlan(held, 'pro')]).toEqual(held);
});

test('only exact names are scopes', () => {
  expect(SCOPES.every(isScope)).toBe(true);
  const wrong = ['agents:Read', ' agents:read', 'agents:*', '*', 'agents', ...naughtyStrings()];
  expect(wrong.filter(isScope)).toEqual([]);
});
