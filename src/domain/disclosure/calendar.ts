// Rows of a calendar: two or more dates with a time each. One appointment may be told, and so may hours that recur every
// week; a list of dated slots is a feed of somebody's time.
import { spokenNumber } from './spoken.ts';
import { type Token, words } from './tokens.ts';

const MONTHS = words(
  `jan january januar janvier enero gennaio janeiro feb february februar fevrier febrero febbraio fevereiro mar march marz
  maerz mars marzo marco apr april avril abril aprile may mai mayo maggio maio jun june juni juin junio giugno junho jul
  july juli juillet julio luglio julho aug august aout agosto sep sept september septembre septiembre settembre setembro
  oct october okt oktober octobre octubre ottobre outubro nov november novembre noviembre novembro dec december dez
  dezember decembre diciembre dicembre dezembro`,
);
const DAYS = words(
  `mon monday tue tues tuesday wed weds wednesday thu thur thurs thursday fri friday sat saturday sun sunday montag
  dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes
  miercoles jueves viernes sabado domingo`,
);
const RELATIVE = words('today tomorrow tonight morgen heute demain manana');
const ORDINALS = words(
  `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
  sixteenth seventeenth eighteenth nineteenth twentieth thirtieth`,
);
const HALVES = words('am pm uhr noon midday midnight');
/** How many tokens may stand between a date and its time. */
const NEAR = 9;

const numberOf = (token: Token | undefined): number | null => {
  if (!token) return null;
  if (token.kind === 'number') return token.lower.length <= 2 ? Number(token.lower) : null;
  const spoken = spokenNumber(token.lower);
  return spoken === null ? null : Number(spoken);
};

const isDayOfMonth = (token: Token | undefined): boolean => {
  if (token && ORDINALS.has(token.lower)) return true;
  const number = numberOf(token);
  return number !== null && number >= 1 && number <= 31;
};

/** Where the date that begins here ends, or null. */
function dateAt(tokens: readonly Token[], at: number): number | null {
  const [a, b, c, d, e] = tokens.slice(at, at + 5);
  if (!a) return null;
  const numeric =
    a.kind === 'number' && c?.kind === 'number' && b !== undefined && '-/.'.includes(b.lower) && !c.spaced;
  if (numeric && d?.lower === b.lower && e?.kind === 'number' && !e.spaced) {
    const [x, y, z] = [a.lower, c.lower, e.lower];
    const iso = /^\d{4}$/.test(x) && Number(y) <= 12 && /^\d{1,2}$/.test(z);
    return iso || (x.length <= 2 && y.length <= 2 && /^(?:\d{2}|\d{4})$/.test(z)) ? at + 5 : null;
  }
  if (numeric && a.lower.length <= 2 && c.lower.length <= 2 && b.lower !== '-' && Number(a.lower) <= 31) {
    // "12/03 10:00" and "12.03. 10:00"; "1.5 at 10:00" is no date.
    const padded = a.lower.length + c.lower.length >= 3 && Number(c.lower) >= 1 && Number(a.lower) >= 1;
    const timed = b.lower === '/' && timeAt(tokens, at + 3) !== null;
    return (padded || timed) && (Number(a.lower) <= 12 || Number(c.lower) <= 12) ? at + 3 : null;
  }
  if (MONTHS.has(a.lower)) {
    const next = b?.lower === '.' ? at + 2 : at + 1;
    return isDayOfMonth(tokens[next]) ? next + 1 : null;
  }
  if (isDayOfMonth(a) && b) {
    let next = at + 1;
    if (['.', 'st', 'nd', 'rd', 'th'].includes(tokens[next]?.lower ?? '')) next += 1;
    if (['of', 'de', 'di'].includes(tokens[next]?.lower ?? '')) next += 1;
    if (MONTHS.has(tokens[next]?.lower ?? '')) return next + 1;
  }
  if (DAYS.has(a.lower) && b) {
    const next = ['the', ',', '.'].includes(b.lower) ? at + 2 : at + 1;
    const day = tokens[next];
    const ordinal = ['st', 'nd', 'rd', 'th'].includes(tokens[next + 1]?.lower ?? '') || ORDINALS.has(day?.lower ?? '');
    if (isDayOfMonth(day) && ordinal) return next + 1;
  }
  return RELATIVE.has(a.lower) ? at + 1 : null;
}

/** Where the time that begins here ends, or null. */
function timeAt(tokens: readonly Token[], at: number): number | null {
  const [a, b, c] = tokens.slice(at, at + 3);
  if (!a) return null;
  if (a.lower === 'noon' || a.lower === 'midday' || a.lower === 'midnight') return at + 1;
  const hour = numberOf(a);
  if (
    a.kind === 'number' &&
    /^(?:[01]\d|2[0-3])[0-5]\d$/.test(a.lower) &&
    /^(?:h|hrs|hours|z|utc|uhr)$/.test(b?.lower ?? '')
  )
    return at + 2;
  if (hour === null || hour > 24) return null;
  if (
    b &&
    (b.lower === ':' || b.lower === '.') &&
    !b.spaced &&
    c?.kind === 'number' &&
    !c.spaced &&
    c.lower.length === 2
  ) {
    const clock = b.lower === ':' || HALVES.has(tokens[at + 3]?.lower ?? '');
    return clock && Number(c.lower) < 60 ? at + 3 : null;
  }
  if (b && (HALVES.has(b.lower) || b.lower === 'h' || (b.lower === 'o' && c?.lower === "'"))) return at + 2;
  if (
    (b?.lower === 'a' || b?.lower === 'p') &&
    (c?.lower === 'm' || (c?.lower === '.' && tokens[at + 3]?.lower === 'm'))
  )
    return at + 3;
  return null;
}

/** A time soon after a place; a `T` may join them, as in 2026-03-04T10:00. */
function timeNear(tokens: readonly Token[], from: number): number | null {
  for (let at = from; at < Math.min(tokens.length, from + NEAR); at++) {
    if (at > from + 1 && dateAt(tokens, at) !== null && timeAt(tokens, at) === null) return null;
    const end = timeAt(tokens, at);
    if (end !== null) return end;
    if (tokens[at]?.lower === '!' || tokens[at]?.lower === '?') return null;
  }
  return null;
}

const FEED = /BEGIN:VEVENT|DTSTART[:;]|BEGIN:VCALENDAR/i;
const ROWS_MIN = 2;

/** Whether the text holds two or more dates with a time each, or a calendar file. */
export function hasCalendarRows(tokens: readonly Token[], text: string): boolean {
  let rows = 0;
  let lastTime = -NEAR;
  for (let at = 0; at < tokens.length; ) {
    const end = dateAt(tokens, at);
    if (end === null) {
      const time = timeAt(tokens, at);
      if (time !== null) lastTime = time;
      at = time ?? at + 1;
      continue;
    }
    const after = timeNear(tokens, end);
    // "10:00 on 4 March".
    const before = at - lastTime <= 3;
    if (after !== null || before) rows += 1;
    if (rows === ROWS_MIN) return true;
    at = before ? end : (after ?? end);
    lastTime = -NEAR;
  }
  return FEED.test(text);
}
