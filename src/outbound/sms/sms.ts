// The port for text messages, and its adapters: an endpoint of the operator's, or the outbox.

import { join } from 'node:path';
import { messageTime } from '../message-time.ts';
import { outboxFailed, writeOutboxFile } from '../outbox.ts';
import { failedForGood, failedForNow, kept, type SendResult, sent } from '../send-result.ts';

/** One text message. `id` is a uuidv7, `to` an E.164 number, `text` plain text. */
export interface Sms {
  readonly id: string;
  readonly to: string;
  readonly text: string;
}

export interface SmsSender {
  /** Sends one message. Safe to repeat with the same id, if the gateway honours it. `gone` aborts it. */
  send(sms: Sms, gone?: AbortSignal): Promise<SendResult>;
}

// The SMS sender behind SMS_URL: an HTTP endpoint of the operator's that gets `{to, text}` (rules.md 1). Only a 2xx
// means sent. A redirect is not followed, because it would send a code to an address that is not configured.

/** For connecting, sending and the answer's header, by the wall clock. */
const DEADLINE_MS = 10_000;

/** Statuses that concern this message; others may be the gateway's or the operator's own problem. */
const FINAL_STATUS = new Set([400, 413, 422]);

/**
 * A sender that posts to `url` (http or https, `user:password@` becomes Basic credentials). The message's id travels as
 * `Idempotency-Key`, so that a gateway can drop the copy of a redrive. Throws on another kind of URL.
 */
export function createSmsEndpoint(url: string, deadline_ms: number = DEADLINE_MS): SmsSender {
  const target = new URL(url);
  // fetch would also read file: and data: URLs.
  if (!/^https?:$/.test(target.protocol)) throw new Error('SMS_URL must begin with http:// or https://');
  const credentials = `${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`;
  const basic = `Basic ${Buffer.from(credentials).toString('base64')}`;
  const login: Record<string, string> = credentials === ':' ? {} : { authorization: basic };
  target.username = '';
  target.password = '';
  return {
    async send({ id, to, text }, gone) {
      const late = AbortSignal.timeout(deadline_ms);
      try {
        const response = await fetch(target, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': id, ...login },
          body: JSON.stringify({ to, text }),
          redirect: 'manual',
          signal: gone ? AbortSignal.any([late, gone]) : late,
        });
        // The body is not used, and an endless one must not keep the connection open.
        await response.body?.cancel();
        return verdict(response.status, id);
      } catch (error) {
        const late = error instanceof Error && error.name === 'TimeoutError';
        return failedForNow(late ? 'sms endpoint deadline' : 'sms endpoint unreachable');
      }
    },
  };
}

function verdict(status: number, id: string): SendResult {
  if (status >= 200 && status < 300) return sent(id);
  const reason = `sms endpoint answered ${status}`;
  return FINAL_STATUS.has(status) ? failedForGood(reason) : failedForNow(reason);
}

// The SMS sender of a server without SMS_URL: each message becomes DATA_DIR/outbox/<uuidv7>.sms.json (rules.md 1).

/** A sender that writes `{to, text}` into `<dataDir>/outbox`. A full disk is worth a retry. */
export function createOutboxSms(dataDir: string): SmsSender {
  return {
    async send({ id, to, text }) {
      messageTime(id);
      try {
        await writeOutboxFile(join(dataDir, 'outbox'), `${id}.sms.json`, `${JSON.stringify({ to, text })}\n`);
        return kept(id);
      } catch (error) {
        return outboxFailed(error);
      }
    },
  };
}
