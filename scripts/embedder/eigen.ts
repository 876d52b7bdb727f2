// The eigenvectors of a small symmetric matrix by cyclic Jacobi rotations (Golub and Van Loan, "Matrix Computations",
// 8.5): slow beside Householder's method, but short, stable and the same on every machine.

const SWEEPS_MAX = 30;

export interface Eigen {
  /** Largest first. */
  readonly values: Float64Array;
  /** One row an eigenvector, in the order of the values, its largest component positive. */
  readonly vectors: Float64Array;
}

/** Turns rows `p` and `q` of a row-major n x n matrix. */
function turnRows(m: Float64Array, n: number, p: number, q: number, cos: number, sin: number): void {
  for (let k = 0; k < n; k += 1) {
    const x = m[p * n + k] ?? 0;
    const y = m[q * n + k] ?? 0;
    m[p * n + k] = cos * x - sin * y;
    m[q * n + k] = sin * x + cos * y;
  }
}

function turnColumns(m: Float64Array, n: number, p: number, q: number, cos: number, sin: number): void {
  for (let k = 0; k < n; k += 1) {
    const x = m[k * n + p] ?? 0;
    const y = m[k * n + q] ?? 0;
    m[k * n + p] = cos * x - sin * y;
    m[k * n + q] = sin * x + cos * y;
  }
}

/** One rotation for every pair; returns whether any was still needed. */
function sweep(m: Float64Array, basis: Float64Array, n: number): boolean {
  let turned = false;
  for (let p = 0; p < n - 1; p += 1) {
    for (let q = p + 1; q < n; q += 1) {
      const off = m[p * n + q] ?? 0;
      const a = m[p * n + p] ?? 0;
      const b = m[q * n + q] ?? 0;
      if (Math.abs(off) <= 1e-14 * Math.sqrt(Math.abs(a * b))) continue;
      turned = true;
      const theta = (b - a) / (2 * off);
      const tan = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
      const cos = 1 / Math.sqrt(tan * tan + 1);
      turnRows(m, n, p, q, cos, tan * cos);
      turnColumns(m, n, p, q, cos, tan * cos);
      turnRows(basis, n, p, q, cos, tan * cos);
    }
  }
  return turned;
}

/** Decomposes a symmetric n x n matrix of which the lower triangle is given. */
export function eigenSymmetric(lower: Float64Array, n: number): Eigen {
  const m = lower.slice();
  for (let r = 0; r < n; r += 1) for (let c = 0; c < r; c += 1) m[c * n + r] = m[r * n + c] ?? 0;
  const basis = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) basis[i * n + i] = 1;
  for (let i = 0; i < SWEEPS_MAX && sweep(m, basis, n); i += 1);
  const order = Array.from({ length: n }, (_, i) => i).sort((i, j) => (m[j * n + j] ?? 0) - (m[i * n + i] ?? 0));
  const vectors = new Float64Array(n * n);
  order.forEach((from, to) => {
    const row = basis.subarray(from * n, from * n + n);
    const largest = row.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0);
    vectors.set(
      row.map((x) => (largest < 0 ? -x : x)),
      to * n,
    );
  });
  return { values: Float64Array.from(order, (i) => m[i * n + i] ?? 0), vectors };
}
