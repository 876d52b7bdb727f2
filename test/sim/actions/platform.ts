// What the operator does.
import { eml } from '../../support/mail.ts';
import type { TestAnswer } from '../../support/testbed.ts';
import type { Action } from '../planned.ts';

const PLATFORM = { platform: true };

export const PLATFORM_ACTIONS: Readonly<Record<string, Action>> = {
  'platform.admin_create': (sim, { email }) => ({
    as: PLATFORM,
    body: { email: sim.choose.chance(0.5) ? email : `staff${sim.choose.below(9)}@example.org` },
  }),
  'platform.admin_set_up': (_sim, person) => {
    const learn = ({ body }: TestAnswer): void => {
      person.set_up = String(body.url).split('/setup/')[1] ?? null;
    };
    return { as: PLATFORM, learn };
  },
  'platform.admin_set_plan': (sim, { email }) => ({
    as: PLATFORM,
    body: { email, plan: sim.choose.chance(0.8) ? 'pro' : 'free' },
  }),
  'platform.clock': (sim) => {
    // Now and then so far that a domain whose record was taken away is lost.
    const far = sim.choose.chance(0.4) && sim.db.number("SELECT count(*) FROM claims WHERE provider = 'domain'") > 0;
    return { as: PLATFORM, body: { advance_seconds: far ? 32 * 86_400 : sim.choose.below(3_600) } };
  },
  'review.list': (sim) => ({ as: PLATFORM, query: { limit: 1 + sim.choose.below(4) } }),
  'review.decide': (sim) => {
    const id = sim.choose.maybe(sim.db.column('SELECT id FROM reviews ORDER BY id'));
    return id === null ? null : { as: PLATFORM, path: { id }, body: { approve: sim.choose.chance(0.7) } };
  },
  'platform.outbox': (_sim, { email }) => ({ as: PLATFORM, query: { to: email } }),
  'mail.receive': (sim, { email }) => {
    // Answers a letter of one's own, or somebody else's, or one that was never sent.
    const letters = sim.mailer.delivered.filter(({ reply_to }) => reply_to !== undefined);
    const own = letters.filter(({ to }) => to === email);
    const letter = sim.choose.maybe(sim.choose.chance(0.8) && own.length > 0 ? own : letters);
    const to = letter?.reply_to ?? `nobody+${'0'.repeat(26)}@agents.localhost`;
    const headers: Record<string, string> = sim.choose.chance(0.1) ? { 'Auto-Submitted': 'auto-replied' } : {};
    const text = eml({
      from: email,
      to,
      text: `answer ${sim.choose.below(3)}`,
      headers,
      id: `${sim.choose.below(99)}`,
    });
    return { as: PLATFORM, query: { to }, raw: { type: 'message/rfc822', text } };
  },
};
