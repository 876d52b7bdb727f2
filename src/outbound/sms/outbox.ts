// The SMS sender of a server without SMS_URL: each message becomes DATA_DIR/outbox/<uuidv7>.sms.json (rules.md 1).

import { join } from 'node:path';
import { messageTime } from '../message-time.ts';
import { writeOutboxFile } from '../outbox-file.ts';
import { failedForNow, kept } from '../send-result.ts';
import type { SmsSender } from './sms.ts';

/** A sender that writes `{to, text}` into `<dataDir>/outbox`. A full disk is worth a retry. */
export function createOutboxSms(dataDir: string): SmsSender {
  return {
    async send({ id, to, text }) {
      messageTime(id);
      try {
        await writeOutboxFile(join(dataDir, 'outbox'), `${id}.sms.json`, `${JSON.stringify({ to, text })}\n`);
        return kept(id);
      } catch {
        return failedForNow('the outbox cannot be written');
      }
    },
  };
}
