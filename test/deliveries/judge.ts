// What has to come of a load of deliveries, by the receiver's behaviour (interface.md, Failure handling and logs).
import type { Ended, Outcome } from './load.ts';

/** Failures in a row that turn a webhook off. */
const FAILURES_MAX = 10;
/** Receivers that take what they are sent. */
const WELL = ['200', '204', 'huge'];

/** The delay that so many of all deliveries to receivers that are well stay below. */
export function delayAt({ ended }: Outcome, share: number): number {
  const sorted = ended
    .filter(({ kind }) => kind === '200' || kind === '204')
    .flatMap(({ delays_ms }) => delays_ms)
    .sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function wrongs({ kind, pulled, streamed, delivered, active, failure_count }: Ended): string[] {
  const well = WELL.includes(kind);
  const attempts = well ? pulled.length : Math.min(FAILURES_MAX, pulled.length);
  // Nothing is sent before the certificate has passed.
  const reached = kind === 'wrong-certificate' ? [] : pulled.slice(0, attempts);
  const expected: readonly (readonly [string, boolean])[] = [
    ['the stream told other events than the inbox holds', Bun.deepEquals(streamed, pulled)],
    ['other ids were delivered, or in another order', Bun.deepEquals(delivered, reached)],
    [`failure_count is ${failure_count}`, failure_count === (well ? 0 : attempts)],
    [`active is ${active}`, active === (well || attempts < FAILURES_MAX)],
  ];
  return expected.flatMap(([problem, holds]) => (holds ? [] : [`${kind}: ${problem}`]));
}

/** What did not come out as it should, with the others' p99 delay at most `late_ms_max`; empty when all did. */
export function problems(outcome: Outcome, late_ms_max: number): string[] {
  const p99 = delayAt(outcome, 0.99);
  const late = p99 < late_ms_max ? [] : [`the p99 delay of the others is ${Math.round(p99)} ms`];
  return [...outcome.ended.flatMap(wrongs), ...late];
}
