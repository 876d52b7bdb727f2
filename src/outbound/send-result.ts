// The result of one attempt to send a mail or an SMS. Adapters return it and never throw: the dispatcher retries by `retry`,
// not by error. Reasons are logged, so they hold no address, text or credential.

export type SendResult =
  | {
      readonly sent: true;
      readonly message_id: string /** It rests in a file, since no sender is set up. */;
      readonly kept?: true;
    }
  | {
      readonly sent: false;
      /** True when the same message may get through later; false when it never will. */
      readonly retry: boolean;
      readonly reason: string;
    };

/** Accepted by the next hop. `message_id` is the same each time that the same message is sent. */
export const sent = (message_id: string): SendResult => ({ sent: true, message_id });

/** Written into the outbox, where the operator finds it. */
export const kept = (message_id: string): SendResult => ({ sent: true, message_id, kept: true });

/** Not accepted now; worth another attempt, with the same id. */
export const failedForNow = (reason: string): SendResult => ({ sent: false, retry: true, reason });

/** Not accepted, and never will be. */
export const failedForGood = (reason: string): SendResult => ({ sent: false, retry: false, reason });
