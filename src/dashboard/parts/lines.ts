// Lists that people type line by line.

/** The lines that hold something. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function asLines(items: readonly string[]): string {
  return items.join('\n');
}
