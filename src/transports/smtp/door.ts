// What the SMTP listener does with a mail: asks for each recipient whether it may come, and hands what came to the same
// operation as the HTTP door, once for each of them.
import type { SMTPServerSession } from 'smtp-server';
import type { AnyOperation } from '../../contract/operation.ts';
import type { StepForm } from '../../domain/next-step.ts';
import type { Ended } from '../../pipeline/call.ts';
import { shownFault } from '../../schemas/next-step.ts';
import { takesMail } from '../../steps/mail/target.ts';
import type { DoorPorts } from '../door-ports.ts';
import { NO_MAILBOX, smtpRefusal, TRY_LATER } from './reply.ts';

/** Names longer than the operation takes are cut: they decide nothing, and its own limit would refuse the mail. */
const CLIENT_NAME_MAX = 255;

export class SmtpDoor {
  readonly #service: DoorPorts;
  readonly #receive: AnyOperation;

  constructor(service: DoorPorts) {
    const receive = service.operations.find(({ name }) => name === 'mail.receive');
    if (!receive) throw new Error('no operation takes mail');
    this.#service = service;
    this.#receive = receive;
  }

  /** Whether mail to an address may come in: null, or the refusal. */
  async recipient(address: string): Promise<Error | null> {
    const { store, settings, clock } = this.#service;
    try {
      return (await takesMail(store.read, address, settings.mail_domain, clock.now())) ? null : NO_MAILBOX;
    } catch {
      // The store could not be read; the sender keeps the mail until it can.
      return TRY_LATER;
    }
  }

  /**
   * Hands a mail in for every recipient of its envelope. One that takes it is enough for the whole, since SMTP has one
   * answer for all: its sender would send a refused one again to those who have it. Answers null, or the refusal.
   */
  async mail(raw: Buffer, session: SMTPServerSession): Promise<Error | null> {
    const text = raw.toString('latin1');
    let refusal: Error = NO_MAILBOX;
    let taken = false;
    const release = this.#service.mails.keep(text);
    try {
      for (const { address } of session.envelope.rcptTo) {
        const ended = await this.#call(text, address, session);
        if ('reply' in ended) taken = true;
        else if ('refusal' in ended) refusal = refusalError(ended.refusal, this.#service.addresses);
      }
    } finally {
      release();
    }
    return taken ? null : refusal;
  }

  #call(raw: string, to: string, session: SMTPServerSession): Promise<Ended> {
    const { pipeline, id } = this.#service;
    const { mailFrom } = session.envelope;
    const input = {
      raw,
      to,
      envelope_from: mailFrom ? mailFrom.address : '',
      client_ip: session.remoteAddress,
      client_name: String(session.hostNameAppearsAs || session.remoteAddress).slice(0, CLIENT_NAME_MAX),
    };
    return pipeline.run({
      operation: this.#receive,
      input,
      bytes: raw.length,
      credential: 'mail',
      acting: null,
      origin: { ip: session.remoteAddress, browser: false },
      idempotency_key: null,
      request_id: id(),
    });
  }
}

type Refusal = Extract<Ended, { readonly refusal: unknown }>['refusal'];

/** A refusal with the sentence that says most: what is wrong with a field, where one is named. */
function refusalError(refusal: Refusal, addresses: StepForm): Error {
  const { fault, message, data } = shownFault(refusal, addresses);
  const fields: unknown = data['fields'];
  const [field]: unknown[] = Array.isArray(fields) ? fields : [];
  const named = typeof field === 'object' && field !== null && 'message' in field ? String(field.message) : message;
  return smtpRefusal(fault, named);
}
