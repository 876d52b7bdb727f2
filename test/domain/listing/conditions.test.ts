// Conditions after a write: parts replace parts, tiers keep their ids, and nothing unnamed is kept.
import { describe, expect, test } from 'bun:test';
import { readWake } from '../../../src/domain/inbox/wake.ts';
import { type Conditions, NO_CONDITIONS, readConditions } from '../../../src/domain/listing/conditions.ts';

let n = 0;
const newId = (): string => {
  n += 1;
  return `new-${n}`;
};
const tier = (id: string, name: string): Conditions['tiers'][number] => ({
  id,
  name,
  price_cents: 1,
  currency: 'USD',
  billing: 'one_time',
});
const BEFORE: Conditions = {
  tiers: [tier('a', 'Small'), tier('b', 'Big')],
  dealbreakers: ['casino'],
  preferences: [{ label: 'remote', weight: 1 }],
};

describe('conditions', () => {
  test('stay as they were when nothing is given, and go when null is', () => {
    expect(readConditions(undefined, BEFORE, newId)).toBe(BEFORE);
    expect(readConditions({}, BEFORE, newId)).toEqual(BEFORE);
    expect(readConditions(null, BEFORE, newId)).toEqual(NO_CONDITIONS);
  });

  test.each<[string, object, object]>([
    ['tiers alone', { tiers: [] }, { ...BEFORE, tiers: [] }],
    ['dealbreakers alone, trimmed and once', { dealbreakers: [' a ', 'a', ' '] }, { ...BEFORE, dealbreakers: ['a'] }],
    ['preferences alone', { weighted_preferences: {} }, { ...BEFORE, preferences: [] }],
  ])('replace %s', (_what, given, after) => {
    expect<unknown>(readConditions(given, BEFORE, newId)).toEqual(after);
  });

  test.each<[string, { id?: string; name: string }[], (string | RegExp)[]]>([
    ['its name', [{ name: 'Big' }, { name: 'Small' }], ['b', 'a']],
    ['the id that is sent, under a new name', [{ id: 'a', name: 'Tiny' }], ['a']],
    ['its name, unless another took the id', [{ name: 'Small' }, { id: 'a', name: 'Other' }], [/^new-/, 'a']],
    ['its name once', [{ name: 'Small' }, { name: 'Small' }], ['a', /^new-/]],
  ])('know a tier by %s', (_what, given, ids) => {
    const after = readConditions({ tiers: given.map((one) => ({ ...one, price_cents: 2 })) }, BEFORE, newId);
    if ('fault' in after) throw new Error(after.fault);
    after.tiers.forEach(({ id }, at) => {
      const wanted = ids[at];
      if (typeof wanted === 'string') expect(id).toBe(wanted);
      else expect(id).toMatch(wanted ?? /never/);
    });
  });

  test.each<[string, { id?: string; name: string }[], string]>([
    [
      'an id twice',
      [
        { id: 'x', name: 'A' },
        { id: 'x', name: 'B' },
      ],
      'conditions.tiers.1.id',
    ],
    ["checkout's own word", [{ id: 'listed', name: 'A' }], 'conditions.tiers.0.id'],
    ['a blank name', [{ name: '  ' }], 'conditions.tiers.0.name'],
  ])('refuse %s', (_what, given, path) => {
    const tiers = given.map((one) => ({ ...one, price_cents: 2 }));
    expect(readConditions({ tiers }, BEFORE, newId)).toMatchObject({
      fault: 'invalid_request',
      data: { fields: [{ path }] },
    });
  });
});

describe('wake preferences', () => {
  test.each<[object, object]>([
    [{}, {}],
    [{ min_match_score: 0 }, { min_match_score: 0 }],
    [{ min_match_score: 100, stray: 1 }, { min_match_score: 100 }],
    [{ mute: ['test.ping', 'test.ping'] }, { mute: ['test.ping'] }],
  ])('%p are kept as %p', (given, kept) => expect(readWake(given)).toEqual(kept));

  test.each<[object, string, RegExp]>([
    [{ min_match_score: 0.6 }, 'wake.min_match_score', /Did you mean 60\?/],
    [{ min_match_score: 60.5 }, 'wake.min_match_score', /100\.$/],
    [{ min_match_score: -1 }, 'wake.min_match_score', /0 to 100/],
    [{ mute: ['match.created', 'match.imagined'] }, 'wake.mute.1', /no such event/],
  ])('%p are refused at %p', (given, path, message) => {
    expect(readWake(given)).toMatchObject({ data: { fields: [{ path, message: expect.stringMatching(message) }] } });
  });
});
