// Detects numbers of cards and bank accounts, by their check digits (Luhn, IBAN's mod 97) or by the word before them.
import { makeLegible } from './legible.ts';

/** Whether a number's last digit is the check digit of the others, as in every card number (ISO/IEC 7812-1). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The ranges of card networks, with the lengths of their numbers. */
const ISSUED =
  /^(?:4\d{12}(?:\d{3}){0,2}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|(?:5[1-5]|2[2-7]|35)\d{14}|6(?:011|4[4-9]|5|2)\d{12,16})$/;
const CARD = /(?<![\d.,])[2-6](?:[ ./*;·_-]{0,2}\d){12,18}(?![\d,])/g;
/** The groupings of card numbers: whole, in fours, as 4-6-5, or evenly spaced. */
const CARD_SHAPE = /^(?:1[3-9]|4{3,4}[1-4]?|465|464|1{13,19}|2{6,9}[12]?|88|448|844)$/;

function isCard(written: string): boolean {
  const groups = written.split(/\D+/);
  const digits = groups.join('');
  const shape = groups.map((group) => group.length).join('');
  return CARD_SHAPE.test(shape) && ISSUED.test(digits) && passesLuhn(digits) && !/^(\d)\1+$/.test(digits);
}

/** Characters of an IBAN by country. */
const IBAN_LENGTHS = new Map(
  `AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22
  GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22
  MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29
  VA22 VG24 XK20`
    .split(/\s+/)
    .map((line): [string, number] => [line.slice(0, 2), Number(line.slice(2))]),
);

/** Whether an IBAN's check digits are right: the remainder of the whole by 97 is 1 (ISO 13616). */
function passesMod97(iban: string): boolean {
  let rest = 0;
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

/** Words could pass the checksum by chance; accounts are mostly digits. */
const DIGITS_MIN = 10;
const IBAN_START = /(?<![A-Za-z0-9])([A-Za-z][ -]?[A-Za-z])[ -]?[0-9][ -]?[0-9](?=[ _-]?[A-Za-z0-9])/g;

function hasIban(text: string): boolean {
  for (const found of text.matchAll(IBAN_START)) {
    const length = IBAN_LENGTHS.get((found[1] ?? '').replace(/[ -]/g, '').toUpperCase());
    if (length === undefined) continue;
    // A spaced IBAN has at most one sign between its characters.
    const near = text.slice(found.index, found.index + length * 2);
    const iban = near
      .replace(/[ ._-]/g, '')
      .slice(0, length)
      .toUpperCase();
    if (iban.length !== length || !/^[A-Z0-9]+$/.test(iban)) continue;
    if (iban.replace(/[A-Z]/g, '').length >= DIGITS_MIN && passesMod97(iban)) return true;
  }
  return false;
}

/** Words before the number of an account. */
const ACCOUNT = makeLegible(
  `account|acct?|routing|aba|bankleitzahl|blz|sort ?code|konto(?:nummer|nr)?|cuenta|conta|compte|conto|rekening|rek|счет|карту|карта|
  ssn|social security|przelew na|clabe|pix|卡号`,
).replace(/\n\s*/g, '');
const CALLED = new RegExp(
  String.raw`(?<!\p{L})(?:${ACCOUNT})(?:[ .:#-]{1,3}(?:numbers?|no|nr|num|is|code|transit|bei|chave|cpf)){0,2}[ .:#=-]{0,3}(\d(?:[ .-]?\d){5,25})(?!\d|[.,]\d| ?(?:%|users|eur|usd))`,
  'giu',
);

/** Whether a legible text holds the number of a card or a bank account. */
export function hasBankNumber(text: string): boolean {
  if (!/\d/.test(text)) return false;
  for (const [card] of text.matchAll(CARD)) if (isCard(card)) return true;
  return hasIban(text) || text.search(CALLED) >= 0;
}
