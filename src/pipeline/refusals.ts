// Counts the refusals at a limit: they tell whoever runs the service what is scarce.
import type { Code } from '../domain/fault.ts';
import type { Ended } from './call.ts';

const LIMITS: ReadonlySet<Code> = new Set<Code>([
  'rate_limited',
  'too_many_tries',
  'plan_limit',
  'spending_limit',
  'first_contact_limit',
  'stream_unavailable',
  'overloaded',
  'storage_full',
]);

export class Refusals {
  /** How often each was uttered. */
  readonly counts = new Map<Code, number>();

  /** Notes how a call ended, and hands that on. */
  note(ended: Ended): Ended {
    if (!('refusal' in ended)) return ended;
    const { fault: code } = ended.refusal;
    if (LIMITS.has(code)) this.counts.set(code, (this.counts.get(code) ?? 0) + 1);
    return ended;
  }
}
