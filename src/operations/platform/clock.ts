// Moves service time forward and runs reminders as they become due: ten days include ten daily retries. A flow, because
// the reminders take turns of their own (rules.md 1, TEST_CLOCK).
import { Type } from 'typebox';
import { flow } from '../../contract/operation.ts';
import { fault } from '../../domain/fault.ts';
import { iso, Time } from '../../schemas/wire.ts';

/** Ten years: beyond every deadline, and still a date that every client can represent. */
const SECONDS_MAX = 315_360_000;

export const platformClock = flow({
  name: 'platform.clock',
  summary: 'Move the clock of the service forward',
  description: 'Only with TEST_CLOCK=1; otherwise this is 404.',
  input: Type.Object({ advance_seconds: Type.Number({ minimum: 0, maximum: SECONDS_MAX }) }),
  output: Type.Object({ now: Time }),
  example: { advance_seconds: 0 },
  effect: 'destroys',
  access: 'platform',
  faults: ['not_found'],
  rest: [{ method: 'POST', path: '/internal/clock' }],
  run: async ({ advance_seconds }, { settings }, { advance, clock }) => {
    if (!settings.test_clock) return fault('not_found');
    await advance(Math.round(advance_seconds * 1000));
    return { reply: { now: iso(clock.now()) } };
  },
});
