// How far a long step is, on standard error: a bar that redraws itself on a terminal, else a line every few seconds, so
// that a log stays readable.

export interface Progress {
  step(): void;
  done(): void;
}

const BAR_CELLS = 30;
/** The pause between two redraws: writing to a terminal costs more than a request. */
const REDRAW_MS = 100;
const LINE_EVERY_MS = 5_000;
const EIGHTHS = ' ▏▎▍▌▋▊▉█';

/** A bar of `cells` cells, filled to `share` (0 to 1) in eighths of a cell. */
export function bar(share: number, cells: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * cells * 8);
  const rest = eighths % 8 === 0 ? '' : (EIGHTHS[eighths % 8] ?? '');
  return ('█'.repeat(Math.floor(eighths / 8)) + rest).padEnd(cells);
}

/** Starts showing a step of `total` parts. */
export function showProgress(name: string, total: number): Progress {
  const terminal = process.stderr.isTTY === true;
  const started = performance.now();
  let count = 0;
  let shown = terminal ? Number.NEGATIVE_INFINITY : started;
  const draw = (end: string): void => {
    const now = performance.now();
    const seconds = (now - started) / 1000;
    const rate = seconds > 0.5 ? `, ${Math.round(count / seconds)}/s` : '';
    const text = `${name} ${count} of ${total}, ${seconds.toFixed(0)} s${rate}`;
    process.stderr.write(terminal ? `\r${bar(count / total, BAR_CELLS)}│ ${text}\x1b[K${end}` : `${text}\n`);
    shown = now;
  };
  return {
    step: () => {
      count += 1;
      if (performance.now() - shown >= (terminal ? REDRAW_MS : LINE_EVERY_MS)) draw('');
    },
    done: () => draw('\n'),
  };
}
