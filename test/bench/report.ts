// Prints the rows as a table, each job's figure beside its ceiling and its target.
import type { Row } from './job.ts';
import type { Spread } from './statistics.ts';

const HEAD = [
  ...['job', 'ours', 'beside', 'ratio (min–max)', 'of CPU (min–max)', 'p50 / p99 ms', 'CPU µs/request'],
  ...['target', 'met'],
] as const;

function digits(value: number): string {
  return value >= 100
    ? value.toFixed(0)
    : value >= 10
      ? value.toFixed(1)
      : value >= 1
        ? value.toFixed(2)
        : value.toFixed(3);
}

function range({ mid, min, max }: Spread): string {
  return `${digits(mid)} (${digits(min)}–${digits(max)})`;
}

function cells(row: Row): string[] {
  const { ratio, cpu_ratio, p50_ms, p99_ms, cpu_us, ceiling_cpu_us } = row;
  const beside = ceiling_cpu_us === undefined ? '' : ` (${digits(ceiling_cpu_us)})`;
  return [
    row.job,
    row.ours,
    row.ceiling ?? '',
    ratio ? range(ratio) : '',
    cpu_ratio ? range(cpu_ratio) : '',
    p50_ms === undefined ? '' : `${digits(p50_ms)} / ${p99_ms === undefined ? '' : digits(p99_ms)}`,
    cpu_us === undefined ? '' : `${digits(cpu_us)}${beside}`,
    row.target,
    row.met === null ? '–' : row.met ? 'yes' : 'NO',
  ];
}

/** The rows as aligned text; notes stand below, numbered. */
export function table(rows: readonly Row[]): string {
  const lines = [[...HEAD], ...rows.map(cells)];
  const notes = rows.filter((row) => row.note !== undefined);
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  text.splice(1, 0, widths.map((width) => '─'.repeat(width)).join('  '));
  return [...text, ...notes.map((row) => `${row.job}: ${row.note}`)].join('\n');
}

/** A progress bar on a terminal, a line per step elsewhere. */
export function progressBar(name: string): (share: number, doing: string) => void {
  const width = 24;
  let last = '';
  return (share, doing) => {
    const full = Math.round(Math.min(1, share) * width);
    const line = `${name} [${'█'.repeat(full)}${'░'.repeat(width - full)}] ${doing}`;
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${line}`);
    else if (doing !== last) process.stderr.write(`${name}: ${doing}\n`);
    last = doing;
  };
}
