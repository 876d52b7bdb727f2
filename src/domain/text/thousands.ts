/** A whole number as people write it in English: `1,200`. */
export function thousands(count: number): string {
  const text = Math.abs(count).toString();
  let grouped = text.slice(-3);
  for (let end = text.length - 3; end > 0; end -= 3) grouped = `${text.slice(Math.max(0, end - 3), end)},${grouped}`;
  return count < 0 ? `-${grouped}` : grouped;
}
