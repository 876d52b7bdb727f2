// The mailer of a server without SMTP_URL: each letter becomes a file, DATA_DIR/outbox/<uuidv7>.eml (rules.md 1).

import { join } from 'node:path';
import { messageTime } from '../message-time.ts';
import { outboxFailed, writeOutboxFile } from '../outbox.ts';
import { failedForGood, kept } from '../send-result.ts';
import { composeMail, type Mailer, messageIdOf } from './mail.ts';

/** A mailer that writes into `<dataDir>/outbox`; `from` is the service's own address. A full disk is worth a retry. */
export function createOutboxMailer(dataDir: string, from: string): Mailer {
  return {
    async send(mail) {
      messageTime(mail.id);
      const letter = await composeMail(mail, from);
      if (letter === null) return failedForGood('an address in it is not a plain mailbox');
      try {
        await writeOutboxFile(join(dataDir, 'outbox'), `${mail.id}.eml`, letter);
        return kept(messageIdOf(mail, from));
      } catch (error) {
        return outboxFailed(error);
      }
    },
  };
}
