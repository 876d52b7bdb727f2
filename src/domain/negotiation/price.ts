// Finds the price that a text names: dollars in digits, with the sign or the word before or after them. It ignores other currencies, since
// wallets hold dollars, and prices of parts, ranges, discounts and extras, prices of others and negated ones. An ambiguous text has no price.

const DOLLAR = 100;
/** Invisible characters do not split numbers. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;

/** Digits with commas between the thousands, a fraction, and a k for thousands; with a mark of dollars before or after. */
const PRICE =
  /((?<![-a-z]|\d)\$ ?|\bus\$ ?|\busd ?)?(?<![\d.,-]|\d )(\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?!\d|\.\d{3}| ?(?:million|thousand|bn|mm?|mn)\b)(\.\d{1,2}(?!\d))?( ?k\b)?( ?(?:dollars?\b|bucks\b|usd\b|\$(?!\d)))?/giu;

/** Characters that are checked before and after a price. */
const WINDOW = 48;

/** A continuation in other notations of thousands and fractions: `$1 200`, `$1,20`. */
const GOES_ON = /^(?:[,'’]\d| \d{3}(?!\d))/u;

/** Text after the price of a part or an hour, after a discount or an extra, or after another kind of dollar. */
const OF_A_PART =
  /^ ?(?:\/ ?[a-z\d]|[x×*] ?\d|per\b|each\b|apiece\b|(?:for )?every\b|for each\b|hourly\b|daily\b|weekly\b|monthly\b|yearly\b|an? (?:hour|day|week|month|year|night|page|word|line|piece|item|unit|logo|photo|image|article|post|session|visit|lesson|person|head|seat|user)\b|off\b|less\b|cheaper\b|more\b|extra\b|discount\b|on top\b|up ?front\b|in advance\b|deposit\b|down\b|tip\b|fee\b|shipping\b|delivery\b|postage\b|tax\b|vat\b|cad\b|aud\b|nzd\b|hkd\b|sgd\b|canadian\b|australian\b)/iu;
/** Text before one: `20 logos at`, `3 x`, `half of`, `a discount of`, `plus`. */
const PART_OF =
  /(?:(?<!\b(?:in|within|by|after) )\b(?:(?!1 )\d{1,6}|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty) (?:[\p{L}-]{2,20} ){1,3}(?:at|@)|\d ?[x×*]|\b(?:each|half|half of|third of|quarter of|part of|twice|double|times|discount of|fee of|deposit of|tip of|save|saves|by|plus|add|another|extra|additional)|\+) ?$/iu;

/** The two ends of a range; a price that moves from one to another is the latter. */
const RANGE_GOES_ON = /^ ?(?:(?:[-–—]|to) ?(?:us|usd ?)?\$|[-–—]\d|(?:[-–—]|to) \d{3})/iu;
const RANGE_ENDS = /(?:[$\d]k?|\b(?:dollars|bucks|usd)) ?(?:[-–—]|\bto) ?$|\bbetween (?:[^.?!\n]{1,24} and )?$/iu;
const MOVES =
  /\b(?:down|up|moved?|go|going|went|dropp?e?d?|lowere?d?|reduced?|cut|raised?|changed?|came|come) [^.?!\n]{0,24}to $/iu;

/** A comparison names no price, unless it is negated: `no more than`. */
const BEYOND = /\b(?:more|less|higher|lower|over|above|under|below|beyond)(?: than)? $/iu;
const NO_FARTHER =
  /(?:\b(?:no|not|never|cannot|nothing)|n[’']t) (?:[\p{L}]{1,12} ){0,2}(?:more|less|higher|lower|over|above|under|below|beyond)(?: than)? $/iu;
const NOT_THAT = /(?:(?<!\bwhy )\b(?:not|never|cannot)|n[’']t|\b(?:instead of|rather than)) (?:[\p{L}]{1,12} ){0,2}$/iu;
const TOO_MUCH =
  /^ (?:(?:is|are|was|seems|sounds|feels|would be) )?(?:(?:just|still|far|way|much|a bit|really) )?(?:too (?:much|high|low|little|dear|expensive)\b|not (?:enough|possible)\b|impossible\b|out of the question\b|(?:won|doesn|does|isn)(?:[’']t| not)\b)/iu;
/** The bids of others, and what a text says of the reader's own limit. */
const NO_OFFER =
  /(?:\b(?:some(?:body|one) else|other (?:buyer|seller|client|customer|bidder|provider)s?|another (?:buyer|seller|client|customer|bidder|provider)|andere[rnm]? (?:käufer|verkäufer|kunde|kunden|anbieter|bieter)|autres? (?:acheteur|vendeur|client)s?|otr[oa]s? (?:comprador|vendedor|cliente)(?:es|s)?|(?:your|the|das|ihr) limit|set (?:the|your) (?:amount|price|limit)|caps (?:this|the))\b)[^.?!\n,;:]{0,32}$/iu;
/** Earlier prices, and prices of others. */
const OF_OTHERS =
  /\b(?:paid|spent|cost me|charged me|others? (?:ask|asks|charge|charges|want)|competitors? (?:ask|asks|charge|charges)|elsewhere (?:for|at)|used to be) (?:[\p{L}]{1,12} ){0,2}$/iu;

/** A bare number at the end of a counter-offer. */
const COUNTERED =
  /\b(?:what about|how about|make it|let us say|let's say) (\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(\.\d{1,2})?(?=[?.!](?:\s|$)|$)/giu;

/** Whether an amount of dollars is a named price, by the text around it. */
function isNamed(before: string, behind: string): boolean {
  if (GOES_ON.test(behind)) return false;
  if (OF_A_PART.test(behind) || PART_OF.test(before) || RANGE_GOES_ON.test(behind)) return false;
  if (RANGE_ENDS.test(before) && !MOVES.test(before)) return false;
  if (TOO_MUCH.test(behind) || OF_OTHERS.test(before) || NO_OFFER.test(before)) return false;
  return BEYOND.test(before) ? NO_FARTHER.test(before) : !NOT_THAT.test(before);
}

/** The prices in a text (`$1,250.50`, `1.2k USD`, `40 dollars`), in cents. After a price a bare number may be another (`Your $500 is too much.
 * What about 310?`). */
export function amountsNamed(said: string): number[] {
  const text = said.replace(UNSEEN, '');
  const found: number[] = [];
  let ends: number | null = null;
  for (const match of text.matchAll(PRICE)) {
    const [all, before, whole = '', fraction = '', thousands, after] = match;
    if (before === undefined && after === undefined) continue;
    const end = match.index + all.length;
    const value = Number(`${whole.replaceAll(',', '')}${fraction}`) * (thousands === undefined ? 1 : 1_000);
    // Zero is no price: it is that of a part, or a mistake.
    if (value <= 0) continue;
    ends = end;
    const named = isNamed(text.slice(Math.max(0, match.index - WINDOW), match.index), text.slice(end, end + WINDOW));
    if (named) found.push(Math.round(value * DOLLAR));
  }
  if (ends === null) return [];
  for (const [, whole = '', fraction = ''] of text.slice(ends).matchAll(COUNTERED)) {
    const value = Number(`${whole.replaceAll(',', '')}${fraction}`);
    if (value > 0) found.push(Math.round(value * DOLLAR));
  }
  return found;
}

/** The last price in a text; null without one. */
export function amountNamed(said: string): number | null {
  return amountsNamed(said).at(-1) ?? null;
}
