// Text that fits the terminal: cut, padded and wrapped by the cells that letters take, not by their number.

/** Without a terminal to ask; wide enough for two headlines side by side. */
const WIDTH_DEFAULT = 110;
const WIDTH_MIN = 60;
const WIDTH_MAX = 150;

/** Cells of a line of standard output. */
export function lineWidth(): number {
  return Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, process.stdout.columns ?? WIDTH_DEFAULT));
}

/** `text` in exactly `cells` cells, with … when it was cut. */
export function fit(text: string, cells: number): string {
  const flat = text.replace(/[\r\n\t]+/g, ' ').trimEnd();
  let cut = flat;
  while (Bun.stringWidth(cut) > cells) {
    const kept = [...cut.replace(/…$/, '')].slice(0, -1);
    cut = `${kept.join('').trimEnd()}…`;
  }
  return cut + ' '.repeat(Math.max(0, cells - Bun.stringWidth(cut)));
}

/** `text` in lines of at most `cells` cells, broken at spaces. */
export function wrap(text: string, cells: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && Bun.stringWidth(`${last} ${word}`) <= cells) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** `3 agents`, `1 agent`, with thousands marked. */
export function countText(n: number, noun: string, plural = `${noun}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? noun : plural}`;
}
