// Detects calendar rows: two or more dates with a time each. One appointment and weekly hours are allowed; a list of dated
// slots is a feed of a person's calendar. Every part of the patterns is bounded.

const MONTH = `(?:jan(?:uary?|vier|eiro)?|enero|gennaio|feb(?:ruary?|rero|braio)?|fev(?:rier|ereiro)?|mar(?:ch|s|z|zo|co)?|maerz
  |apr(?:ile?)?|avril|abril|may|mai|mayo|maggio|maio|june?|juni|juin|junio|giugno|junho|july?|juli|juillet|julio|luglio|julho
  |aug(?:ust)?|aout|agosto|sept?(?:ember|embre|iembre)?|settembre|setembro|o[ck]t(?:ober|obre|ubre)?|ottobre|outubro
  |nov(?:ember|embre|iembre|embro)?|de[cz](?:ember|embre|embro)?|diciembre|dicembre)`;
const DAY = String.raw`[0-3]?\d(?:st|nd|rd|th)?`;
const WEEKDAY = '(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?';
const DATE = String.raw`(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})|[0-3]?\d/[0-3]?\d|[0-3]?\d\.[01]\d\.
  |${MONTH}\.?\s${DAY}|${DAY}\.?\s(?:(?:of|de|di)\s)?${MONTH}|${WEEKDAY}\s(?:the\s)?\d{1,2}(?:st|nd|rd|th)
  |today|tomorrow|tonight|heute|morgen|demain|manana)(?!\d)`;
const TIME = String.raw`(?:\d{1,2}:\d{2}|\d{1,2}(?:\.\d{2})?\s?(?:[ap]\.?m|uhr|h(?:\d{2})?)|[0-2]\d[0-5]\d\s?(?:h|hrs|z|utc)
  |noon|midday|midnight)(?![a-y\d])`;
const BETWEEN = String.raw`[^!?\n]{0,40}?`;
const ROW = new RegExp(
  String.raw`(?<![\d\p{L}.])(?:${DATE}(?:t|${BETWEEN}(?<![\d.]))${TIME}|${TIME}\s(?:on\s)?${DATE})`.replace(
    /\n\s*/g,
    '',
  ),
  'giu',
);
const FEED = /BEGIN:VEVENT|DTSTART[:;]|BEGIN:VCALENDAR/i;
const ROWS_MIN = 2;

/** Whether a legible text holds two or more dates with a time each, or a calendar file. */
export function hasCalendarRows(text: string): boolean {
  return (/\d/.test(text) && [...text.matchAll(ROW)].length >= ROWS_MIN) || FEED.test(text);
}
