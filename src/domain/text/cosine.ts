// How near two vectors point, from -1 to 1.

/** The cosine of two vectors of equal length; 0 where one is zero. */
export function cosine(a: Int8Array, b: Int8Array): number {
  let product = 0;
  let [aa, bb] = [0, 0];
  for (let i = 0; i < a.length; i += 1) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    product += x * y;
    aa += x * x;
    bb += y * y;
  }
  return product / Math.sqrt(aa * bb || 1);
}
