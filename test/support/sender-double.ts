// The behaving double of both senders: it keeps what it delivers, and at the whim of a (seeded) function it refuses,
// delays, doubles, or delivers and then loses the answer, as a crash does. It has no timer: time belongs to the caller.

import { failedForGood, failedForNow, type SendResult, sent } from '../../src/outbound/send-result.ts';

/** What happens to one attempt. `lose_answer` delivers yet reports a failure, so the redrive makes a second copy. */
export type Whim = 'deliver' | 'duplicate' | 'delay' | 'lose_answer' | 'refuse_for_now' | 'refuse_for_good';

interface Message {
  readonly id: string;
  readonly to: string;
}

/** A double of `Mailer` (with `Mail`) or of `SmsSender` (with `Sms`). */
export interface SenderDouble<M extends Message> {
  send(message: M): Promise<SendResult>;
  /** Everything delivered so far, oldest first, copies included. */
  readonly delivered: readonly M[];
  /** How many attempts are being delayed. */
  waiting(): number;
  /** Delivers all delayed attempts, oldest first, and lets their senders go on. */
  release(): void;
}

/** Makes a double; `whim` is asked once for each attempt, with its message and a count from 0. */
export function createSenderDouble<M extends Message>(
  whim: (message: M, attempt: number) => Whim = () => 'deliver',
): SenderDouble<M> {
  const delivered: M[] = [];
  const delayed: (() => void)[] = [];
  let attempts = 0;

  const deliver = (message: M, copies = 1): SendResult => {
    for (let i = 0; i < copies; i++) delivered.push(message);
    return sent(message.id);
  };

  return {
    delivered,
    waiting: () => delayed.length,
    release() {
      for (const go of delayed.splice(0)) go();
    },
    send(message) {
      const what = whim(message, attempts++);
      switch (what) {
        case 'deliver':
          return Promise.resolve(deliver(message));
        case 'duplicate':
          return Promise.resolve(deliver(message, 2));
        case 'delay':
          return new Promise((resolve) => {
            delayed.push(() => resolve(deliver(message)));
          });
        case 'lose_answer':
          deliver(message);
          return Promise.resolve(failedForNow('double: the answer was lost'));
        case 'refuse_for_now':
          return Promise.resolve(failedForNow('double: refused for now'));
        case 'refuse_for_good':
          return Promise.resolve(failedForGood('double: refused for good'));
      }
    },
  };
}
