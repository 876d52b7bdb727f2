// What came of the loading, for a person to read: how many listings are live and why the others are not, which kinds
// met, and the best matches with what speaks for each.

import type { Loaded, LoadResult } from './load.ts';
import type { Found, Shown } from './matches.ts';
import { bar } from './progress.ts';
import { countText, fit, lineWidth, wrap } from './table.ts';

const SCORE_CELLS = 10;
/** The score's number, its bar, and the gaps between the columns. */
const LEFT_CELLS = 5 + SCORE_CELLS + 2;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function tally(keys: Iterable<string>): [string, number][] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

/** Why a listing is not live, in words. */
function whyNot({ status, missing }: Loaded): string {
  if (status === 'draft' && missing.length > 0) return `draft, without ${missing.join(' and ')}`;
  if (status === 'pending_verification') return 'held until its site is proven by DNS';
  return status;
}

export function loadingLines({ accounts, loaded, refused, took_ms }: LoadResult): string[] {
  const live = loaded.filter(({ status }) => status === 'live');
  const waiting = tally(loaded.filter(({ status }) => status !== 'live').map(whyNot));
  const drafts = loaded.filter(({ status }) => status === 'draft').length;
  const rate = Math.round((loaded.length / took_ms) * 1000);
  const types = tally(live.map(({ sample }) => sample.card_type)).map(([type, n]) => `${type} ${n}`);
  return [
    `${countText(loaded.length, 'agent')} of ${countText(accounts, 'account')}, signed up and verified in ` +
      `${seconds(took_ms)} (${rate} listings a second, each matched before its answer)`,
    `live     ${live.length}: ${types.join(', ')}`,
    `drafts   ${drafts}`,
    ...waiting.map(([why, n]) => `         ${n} ${why}`),
    ...[...refused].map(([code, { count, headline }]) => `refused  ${count} ${code}, such as “${headline}”`),
  ];
}

/** How often which card types met. */
export function pairingLines(matches: readonly Found[]): string[] {
  const pairs = tally(matches.map(({ offer, seek }) => `${offer.sample.card_type} – ${seek.sample.card_type}`));
  const most = pairs[0]?.[1] ?? 1;
  return pairs.map(([name, n]) => `${name.padEnd(32)} ${String(n).padStart(7)}  ${bar(n / most, 20).trimEnd()}`);
}

function amountOf({ sample }: Loaded): string {
  const cents = sample.body.price_cents ?? sample.body.budget_cents;
  if (typeof cents !== 'number') return 'no amount';
  const money = `$${(cents / 100).toLocaleString('en-US', { maximumFractionDigits: 2 })}`;
  const { price_period: period = 'once' } = sample.body;
  return period === 'once' ? money : `${money} a ${String(period)}`;
}

function place(loaded: Loaded): string {
  const { geo } = loaded.sample.body;
  return [`@${loaded.agent.handle}`, amountOf(loaded), geo].filter(Boolean).join(' · ');
}

/** The matches as a table: the offer beside the seek, and under them what speaks for the pair. */
export function matchLines(matches: readonly Shown[]): string[] {
  const width = lineWidth();
  const half = Math.floor((width - LEFT_CELLS - 2) / 2);
  const indent = ' '.repeat(LEFT_CELLS);
  const row = (left: string, a: string, b: string): string => `${left}${fit(a, half)}  ${fit(b, half)}`.trimEnd();
  const lines = [row('score'.padEnd(LEFT_CELLS), 'offer', 'seek'), '─'.repeat(width)];
  for (const { score, offer, seek, reasons } of matches) {
    const left = `${score.toFixed(2)} ${bar(score, SCORE_CELLS)}`.padEnd(LEFT_CELLS);
    lines.push(row(left, offer.sample.headline, seek.sample.headline), row(indent, place(offer), place(seek)));
    for (const text of wrap(`→ ${reasons.join('; ')}`, width - LEFT_CELLS)) lines.push(indent + text);
    lines.push('');
  }
  return lines;
}
