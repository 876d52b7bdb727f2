// The SMTP replies to an accepted or refused mail: the sender's mail server passes a refusal on, because the service itself never
// answers by mail.
import type { Code } from '../../domain/fault.ts';

/** A refusal in SMTP's terms: a reply code (RFC 5321, 4.2) and the text after it, which begins with the enhanced code
 * (RFC 3463). */
export class SmtpRefusal extends Error {
  constructor(
    readonly responseCode: number,
    text: string,
  ) {
    super(text);
  }
}

/** Permanent refusals: the sender's server gives up and tells its user why. */
const FINAL: Readonly<Partial<Record<Code, readonly [code: number, enhanced: string]>>> = {
  not_found: [550, '5.1.1'],
  not_a_party: [550, '5.7.1'],
  blocked: [550, '5.7.1'],
  conversation_closed: [550, '5.7.1'],
  first_contact_limit: [550, '5.7.1'],
  invalid_request: [554, '5.6.0'],
  payload_too_large: [552, '5.3.4'],
};

/** The reply for a fault of the operation; others than the permanent ones are temporary. */
export function smtpRefusal(fault: Code, message: string): SmtpRefusal {
  const [code, enhanced] = FINAL[fault] ?? [451, '4.3.0'];
  return new SmtpRefusal(code, `${enhanced} ${message}`);
}

export const NO_MAILBOX = new SmtpRefusal(
  550,
  '5.1.1 There is no such mailbox here, or its reply address has expired.',
);
export const TOO_LARGE = new SmtpRefusal(552, '5.3.4 The mail is larger than 10 MiB.');
export const TRY_LATER = new SmtpRefusal(451, '4.3.0 Something went wrong here; try again later.');
