// Guards that no amount of money stays in a text of the service's own agent.
import { expect, test } from 'bun:test';
import { namesAmount, withoutAmounts } from '../../../src/domain/concierge/amount.ts';

test.each([
  ['It costs $600 a day.', 'It costs an amount a day.'],
  ['It costs 600 USD, or EUR 5.50 more.', 'It costs an amount or an amount more.'],
  ['5 dollars and 20cents', 'an amount and an amount'],
  ['price_cents: 4950', 'an amount'],
  ['€ 5, 5 €, £5k and ¥1,000', 'an amount an amount an amount and an amount'],
  ['set $KEY to it', 'set KEY to it'],
  ['a line of $5\nand another', 'a line of an amount\nand another'],
])('%j', (text, without) => {
  expect(withoutAmounts(text)).toBe(without);
  expect(namesAmount(withoutAmounts(text))).toBe(false);
});

test.each(['30 of each listing', 'US cents', 'for 72 hours', '404 not_found', 'amount_cents', ''])(
  'leaves %j as it is',
  (text) => {
    expect(withoutAmounts(text)).toBe(text);
    expect(namesAmount(text)).toBe(false);
  },
);
