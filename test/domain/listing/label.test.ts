// Guarantees of labels: one spelling for one meaning, a clear refusal of what is none, and a useful autocomplete.

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  foldLabels,
  LABEL_ALIASES,
  type LabelUse,
  rankLabels,
  resolveLabel,
} from '../../../src/domain/listing/label.ts';
import { hyphenate } from '../../../src/domain/text/fold.ts';

describe('a label folds to a-z, 0-9 and single hyphens', () => {
  test.each([
    ['Kubernetes', 'kubernetes'],
    ['  Data   Science!! ', 'data-science'],
    ['C++', 'c-plus-plus'],
    ['c#', 'c-sharp'],
    ['F#', 'f-sharp'],
    ['c', 'c'],
    ['Visual C++ 17', 'visual-c-plus-plus-17'],
    ['C#/.NET', 'c-sharp-dot-net'],
    ['.NET', 'dot-net'],
    ['net', 'net'],
    ['ASP.NET', 'asp-net'],
    ['Node.js', 'node-js'],
    ['Objective-C', 'objective-c'],
    ['#marketing', 'marketing'],
    ['A/B testing', 'a-b-testing'],
    ['Disney+', 'disney-plus'],
    ['Café crème', 'cafe-creme'],
    ['İstanbul', 'istanbul'],
    ['Ｋ８Ｓ', 'k8s'],
    ['ﬁntech', 'fintech'],
    ['Straße', 'strasse'],
    ['Москва', 'moskva'],
    ['深圳 market', 'shenzhen-market'],
    ['🚀', 'rocket'],
    ['###', ''],
    ['\ud800', ''],
    ['', ''],
  ])('%p becomes %p', (text, folded) => expect(hyphenate(text)).toBe(folded));

  test('whatever the text, the result is well formed and folding it again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const folded = hyphenate(text);
        expect(folded).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/);
        expect(hyphenate(folded)).toBe(folded);
        expect(resolveLabel(resolveLabel(text))).toBe(resolveLabel(text));
      }),
    );
  });
});

describe('aliases', () => {
  test.each([
    ['UX Design', 'ui-ux'],
    ['js', 'javascript'],
    ['K8s', 'kubernetes'],
    ['NodeJS', 'node-js'],
    ['R&D', 'research-and-development'],
    ['backlinks', 'backlinks'],
    ['terraform', 'terraform'],
  ])('%p means %p', (text, label) => expect(resolveLabel(text)).toBe(label));

  test('every alias is folded, stands once, and leads to a label that is no alias itself', () => {
    const aliases = Object.values(LABEL_ALIASES).flat();
    expect(aliases.length).toBeGreaterThanOrEqual(150);
    expect(new Set(aliases).size).toBe(aliases.length);
    for (const name of [...Object.keys(LABEL_ALIASES), ...aliases]) expect(hyphenate(name)).toBe(name);
    for (const label of Object.keys(LABEL_ALIASES)) expect(aliases).not.toContain(label);
  });

  test('names of object members are labels like any other', () => {
    expect(foldLabels(['constructor', '__proto__'])).toEqual({ labels: ['constructor', 'proto'] });
    expect(rankLabels('struct', [{ name: 'constructor', kind: 'label', uses: 1 }], 5)).toHaveLength(1);
  });
});

describe('the labels of a listing', () => {
  test('keep their order and lose repeats of one meaning', () => {
    expect(foldLabels(['Terraform', 'k8s', 'Kubernetes', 'terraform'])).toEqual({
      labels: ['terraform', 'kubernetes'],
    });
    expect(foldLabels([])).toEqual({ labels: [] });
  });

  test('are refused by place when nothing is left, when over 40 characters, and when over 20', () => {
    expect(foldLabels(['ok', '!!!', 'x'.repeat(41)])).toMatchObject({
      fault: 'invalid_request',
      data: { fields: [{ path: 'labels.1' }, { path: 'labels.2' }] },
    });
    expect(foldLabels(['x'.repeat(40)])).toEqual({ labels: ['x'.repeat(40)] });
    expect(foldLabels(Array.from({ length: 20 }, (_, n) => `l${n}`))).toHaveProperty('labels');
    expect(
      foldLabels(
        Array.from({ length: 21 }, (_, n) => `l${n}`),
        'offers.0.labels',
      ),
    ).toMatchObject({
      data: { fields: [{ path: 'offers.0.labels' }] },
    });
  });
});

describe('autocomplete', () => {
  const known: LabelUse[] = [
    { name: 'data-science', kind: 'label', uses: 5 },
    { name: 'database-design', kind: 'label', uses: 9 },
    { name: 'big-data', kind: 'label', uses: 50 },
    { name: 'metadata', kind: 'label', uses: 99 },
    { name: 'kubernetes', kind: 'label', uses: 3 },
    { name: 'web.fetch', kind: 'capability', uses: 2 },
    { name: 'fetch', kind: 'label', uses: 1 },
  ];
  test.each([
    ['data', ['database-design', 'data-science', 'big-data', 'metadata']],
    ['data-sci', ['data-science']],
    ['K8s', ['kubernetes']],
    ['Kub', ['kubernetes']],
    ['fetch', ['fetch', 'web.fetch']],
    ['web.f', ['web.fetch']],
    ['!!', []],
    ['zzz', []],
  ])('%p finds, best first, %p', (text, names) => {
    expect(rankLabels(text, known, 10).map((use) => use.name)).toEqual(names);
  });

  test('an empty query lists the most used, up to the limit', () => {
    expect(rankLabels('', known, 2).map((use) => use.name)).toEqual(['metadata', 'big-data']);
  });
});
