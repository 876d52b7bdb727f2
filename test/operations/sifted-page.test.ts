// What one call reads of a list that it filters: so many rows and characters, and a cursor where there may be more.
import { describe, expect, test } from 'bun:test';
import { siftedPage } from '../../src/steps/page.ts';

interface Line {
  readonly at: number;
  readonly text: string;
}

/** A list of so many lines; `read` counts what was read of it. */
function listOf(lines: number, text: string) {
  const read = { rows: 0, chars: 0 };
  const page = (from: number, fits: ((line: Line) => boolean) | null, limit = 50) =>
    siftedPage<Line>({
      from: `${from}`,
      limit,
      read: async (cursor, n) => {
        const first = Number(cursor) + 1;
        const found = Array.from({ length: Math.max(0, Math.min(n, lines - first)) }, (_, k) => ({
          at: first + k,
          text,
        }));
        read.rows += found.length;
        read.chars += found.length * text.length;
        return found;
      },
      cursorOf: ({ at }) => `${at}`,
      textOf: (line) => line.text,
      fits,
    });
  return { read, page };
}

describe('a page of what fits', () => {
  test('reads a thousand rows at most, and its cursor is the last of them', async () => {
    const { read, page } = listOf(100_000, 'x');
    expect(await page(-1, () => false)).toEqual({ items: [], next_cursor: '1023' });
    expect(read.rows).toBe(1_024);
  });

  test('reads a mebibyte at most, and what one more slice holds', async () => {
    const { read, page } = listOf(100_000, 'x'.repeat(16_384));
    expect((await page(-1, () => false)).next_cursor).toBe('63');
    expect(read.chars).toBeLessThanOrEqual(2 * 1_048_576);
  });

  test('ends with the row that fills the mebibyte, in bytes, also where everything fits', async () => {
    const { page } = listOf(1_000, 'é'.repeat(65_536));
    const { items, next_cursor } = await page(-1, null, 100);
    expect([items.length, next_cursor]).toEqual([8, '7']);
    expect((await page(7, null, 100)).items[0]?.at).toBe(8);
  });

  test('leads through the whole list, page by page', async () => {
    const { page } = listOf(5_000, 'x');
    const seen: number[] = [];
    for (let cursor: string | null = '-1'; cursor !== null; ) {
      const { items, next_cursor } = await page(Number(cursor), ({ at }) => at % 97 === 0, 3);
      seen.push(...items.map(({ at }) => at));
      cursor = next_cursor;
    }
    expect(seen).toEqual(Array.from({ length: 52 }, (_, n) => n * 97));
  });

  test('without a filter reads a page and one row', async () => {
    const { read, page } = listOf(1_000, 'x');
    expect((await page(-1, null)).next_cursor).toBe('49');
    expect(read.rows).toBe(51);
    expect((await page(949, null)).next_cursor).toBeNull();
  });
});
