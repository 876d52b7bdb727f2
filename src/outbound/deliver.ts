// Carries one row of the outbound table to its port: opens the sealed payload, sends it, and says what became of it.
import type { Log } from '../log.ts';
import type { Mail, Mailer } from './mailer/mail.ts';
import { open, seal } from './seal.ts';
import type { Sms, SmsSender } from './sms/sms.ts';

/** The part of an outbound row that delivery needs. */
interface Row {
  readonly id: string;
  readonly channel: 'mail' | 'sms';
  readonly payload: string;
}

const sealContext = (row_id: string): string => `outbound:${row_id}`;

/** Seals payloads, each bound to its row. */
export function sealer(key: Uint8Array): { seal(plain: string, row_id: string): string } {
  return { seal: (plain, row_id) => seal(key, plain, sealContext(row_id)) };
}

/** The dispatcher's hand: `later` is tried again, `refused` is final. */
export function deliverer(
  key: Uint8Array,
  mailer: Mailer,
  sms: SmsSender,
  log: Log,
): (row: Row, gone: AbortSignal) => Promise<'sent' | 'later' | 'refused'> {
  return async (row, gone) => {
    const payload = open(key, row.payload, sealContext(row.id));
    if (payload === null) {
      log.error('an outbound row cannot be opened; the seal key has changed', { delivery_id: row.id });
      return 'refused';
    }
    // Our own turn wrote it, in the shape of its channel.
    const message: unknown = JSON.parse(payload);
    const result =
      row.channel === 'mail' ? await mailer.send(message as Mail, gone) : await sms.send(message as Sms, gone);
    if (result.sent) {
      const done = result.kept ? 'written to the outbox' : 'sent';
      log.info(`${row.channel === 'mail' ? 'mail' : 'text message'} ${done}`, { delivery_id: row.id });
      return 'sent';
    }
    log.warn('a delivery failed', { delivery_id: row.id, error: result.reason });
    return result.retry ? 'later' : 'refused';
  };
}
