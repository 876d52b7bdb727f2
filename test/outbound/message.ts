// Letters and text messages for the tests of outbound, with ids as the service makes them: uuidv7 at a given instant.

import type { Mail } from '../../src/outbound/mailer/mail.ts';

export const NOW = Date.UTC(2031, 4, 6, 12, 0, 0, 250);
export const FROM = 'no-reply@agents.example';

/** A uuidv7 of `ms`, the same for the same `n`. */
export function idAt(ms: number, n = 0): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${n.toString(16).padStart(12, '0')}`;
}

/** A letter with what matters to a test changed. */
export function letter(change: Partial<Mail> = {}): Mail {
  return { id: idAt(NOW), to: 'ada@example.com', subject: 'Your code', text: 'Hello,\n\n123456\n', ...change };
}
