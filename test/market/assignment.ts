// The best that a market could do: who deals with whom so that the sum of what all gain is the greatest.

/** The pairs of the assignment with the greatest sum of gains, as columns by row; pairs that gain nothing are left out (Hungarian method,
 * O(n³), of Kuhn with potentials). */
export function bestPairs(gains: readonly (readonly number[])[]): { readonly pairs: [number, number][]; sum: number } {
  const rows = gains.length;
  const columns = gains[0]?.length ?? 0;
  const size = Math.max(rows, columns);
  const cost = (row: number, column: number): number => -Math.max(0, gains[row - 1]?.[column - 1] ?? 0);
  const [ofRow, ofColumn] = [new Array<number>(size + 1).fill(0), new Array<number>(size + 1).fill(0)];
  const rowOf = new Array<number>(size + 1).fill(0);
  for (let row = 1; row <= size; row += 1) augment(row, { size, cost, ofRow, ofColumn, rowOf });
  const pairs: [number, number][] = [];
  let sum = 0;
  for (let column = 1; column <= size; column += 1) {
    const row = rowOf[column] ?? 0;
    const gain = gains[row - 1]?.[column - 1] ?? 0;
    if (gain <= 0) continue;
    pairs.push([row - 1, column - 1]);
    sum += gain;
  }
  return { pairs, sum };
}

interface State {
  readonly size: number;
  readonly cost: (row: number, column: number) => number;
  readonly ofRow: number[];
  readonly ofColumn: number[];
  /** The row that each column is given to; 0 for none. */
  readonly rowOf: number[];
}

const at = (list: readonly number[], index: number): number => list[index] ?? 0;

/** Gives one more row a column, along the cheapest path of changes. */
function augment(row: number, { size, cost, ofRow, ofColumn, rowOf }: State): void {
  const least = new Array<number>(size + 1).fill(Number.POSITIVE_INFINITY);
  const before = new Array<number>(size + 1).fill(0);
  const seen = new Array<boolean>(size + 1).fill(false);
  rowOf[0] = row;
  let column = 0;
  do {
    seen[column] = true;
    const here = at(rowOf, column);
    let [delta, next] = [Number.POSITIVE_INFINITY, 0];
    for (let to = 1; to <= size; to += 1) {
      if (seen[to]) continue;
      const reduced = cost(here, to) - at(ofRow, here) - at(ofColumn, to);
      if (reduced < at(least, to)) [least[to], before[to]] = [reduced, column];
      if (at(least, to) < delta) [delta, next] = [at(least, to), to];
    }
    for (let to = 0; to <= size; to += 1) {
      if (seen[to]) {
        ofRow[at(rowOf, to)] = at(ofRow, at(rowOf, to)) + delta;
        ofColumn[to] = at(ofColumn, to) - delta;
      } else least[to] = at(least, to) - delta;
    }
    column = next;
  } while (at(rowOf, column) !== 0);
  while (column !== 0) {
    const from = at(before, column);
    rowOf[column] = at(rowOf, from);
    column = from;
  }
}
