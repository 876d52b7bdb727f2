// Amounts as people type them, in languages that put a point and in those that put a comma before the cents.
import { expect, test } from 'bun:test';
import { typedCents } from '../../../src/domain/money/typed.ts';

test.each([
  ['1200', 120_000],
  ['1,200', 120_000],
  ['$1,200', 120_000],
  ['1,200.50', 120_050],
  ['1.200,50 €', 120_050],
  ['1 200,50', 120_050],
  ["1'200.50", 120_050],
  ['1,234,567.8', 123_456_780],
  ['450 €', 45_000],
  ['USD 20', 2_000],
  ['0', 0],
  ['0,5', 50],
  ['9.99', 999],
])('%s is read as %d cents where a point stands before them', (text, cents) => {
  expect(typedCents(text, '.')).toBe(cents);
});

test.each([
  ['1.200', 120_000],
  ['1.200,50 €', 120_050],
  ['1,200.50', 120_050],
  ['12,5', 1_250],
  ['12.50', 1_250],
  ['1.234.567', 123_456_700],
])('%s is read as %d cents where a comma does', (text, cents) => {
  expect(typedCents(text, ',')).toBe(cents);
});

test.each([
  ['1.200', '.'],
  ['1,200', ','],
  ['1,20,0', '.'],
  ['12,00,000', '.'],
  ['1.2.3', '.'],
  ['1,200.505', '.'],
  ['-5', '.'],
  ['5-', '.'],
  ['five', '.'],
  ['', '.'],
  ['.', '.'],
  ['.50', '.'],
  ['1234567890', '.'],
])('%s is no amount, or could be two', (text, decimal) => {
  expect(typedCents(text, decimal)).toBeNull();
});
