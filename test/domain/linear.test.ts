// Whatever reads a stranger's text takes steps in proportion to its length. The counter is first shown to see what is not.
import { describe, expect, test } from 'bun:test';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stepsOf } from '../support/steps/natives.ts';
import { expectLinear, loadCounted } from '../support/steps.ts';

const SAMPLE = `
const shout = (all: string[], one: string): string[] => [...all, one];
export const nested = (text: string): number => {
  let n = 0;
  for (const a of text) for (const b of text) if (a === b) n += 1;
  return n;
};
export const spreading = (text: string): string[] => text.split('').reduce(shout, [] as string[]);
export const searching = (text: string): string[] => [...text].filter((_, at) => text.indexOf('!', at) > 0);
export const shifting = (text: string): void => {
  const left = text.split('');
  while (left.length > 0) left.shift();
};
export const matching = (text: string): void => {
  for (let at = 0; at < text.length; at++) /a*$/.test(text.slice(at));
};
export const once = (text: string): string => text.split('a').map((part) => part.trim()).join('b');
`;

describe('the counter of steps', () => {
  async function sample() {
    const path = join(mkdtempSync(join(tmpdir(), 'meshwork-sample-')), 'sample.ts');
    writeFileSync(path, SAMPLE);
    return loadCounted<Record<string, (text: string) => unknown>>(path);
  }

  test.each(['nested', 'spreading', 'searching', 'shifting', 'matching'])('sees that %s is quadratic', async (name) => {
    const read = (await sample())[name];
    expect(() => expectLinear((text) => read?.(text), 'ab', 1_024)).toThrow('in proportion');
  });

  test('lets pass what walks a text a fixed number of times', async () => {
    const { once } = await sample();
    expectLinear((text) => once?.(text), 'ab', 1_024);
    expect(stepsOf(() => once?.('ab'.repeat(100)))).toBeGreaterThan(400);
  });
});
