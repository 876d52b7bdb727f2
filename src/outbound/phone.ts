// Phone numbers for the phone proof: only one that can take a text message is sent a code, since every message costs the
// operator and premium numbers cost most. The numbering plans are libphonenumber's, in the edition that knows mobiles.

import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import { type Fault, fault } from '../domain/fault.ts';

/** An international number is at most 15 digits (E.164); the rest of this is punctuation. */
const MAX_CHARS = 40;

/**
 * Numbers for fiction and documentation that the plans call invalid: +1 555 xxx xxxx (an unassigned area) and
 * +44 7700 900xxx (Ofcom). They have no subscriber, so demos can use them.
 */
const FICTIONAL = /^\+(1555\d{7}|447700900\d{3})$/;

/**
 * Reads a number in international form, or as dialled in `country`, with any punctuation, into E.164. `invalid_phone` when it
 * has no country code and no country is given, has an extension, or is no mobile number of its country's plan (plans without
 * a separate mobile range pass).
 */
export function parsePhone(text: string, country = ''): { e164: string } | Fault<'invalid_phone'> {
  if (text.length > MAX_CHARS) return fault('invalid_phone');
  const national = isSupportedCountry(country) ? { defaultCountry: country } : {};
  const parsed = parsePhoneNumberFromString(text.trim(), { extract: false, ...national });
  if (parsed === undefined || parsed.ext !== undefined || !parsed.isPossible()) return fault('invalid_phone');
  if (parsed.isValid() || FICTIONAL.test(parsed.number)) return { e164: parsed.number };
  return fault('invalid_phone', 'That number cannot take a text message; give a mobile number such as +14155550123.');
}
