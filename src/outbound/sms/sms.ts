// The port through which text messages leave.

import type { SendResult } from '../send-result.ts';

/** One text message. `id` is a uuidv7, `to` an E.164 number, `text` plain text. */
export interface Sms {
  readonly id: string;
  readonly to: string;
  readonly text: string;
}

export interface SmsSender {
  /** Sends one message once. Safe to repeat with the same id, as far as the gateway heeds it. `gone` gives it up. */
  send(sms: Sms, gone?: AbortSignal): Promise<SendResult>;
}
