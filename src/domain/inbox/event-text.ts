// What the event of one agent says, as its notice reads it: fields that are absent or misshapen read as empty, texts of others stand in one
// line and are cut, amounts and times are written as people write them.
import { dollars } from '../money/dollars.ts';
import type { NoticeWords } from './notice-words.ts';

/** An event with the words to tell it in. */
export interface EventText {
  readonly words: NoticeWords;
  readonly handle: string;
  readonly data: Readonly<Record<string, unknown>>;
  text(name: string): string;
  /** The handle in a field. */
  who(name: string): string;
  /** An amount of cents as people write it: `$1,250.00`. */
  dollars(name: string): string;
  /** A time as people write it: `2026-11-26 15:45 UTC`. */
  time(name: string): string;
  /** How long something is: `30 minutes`. */
  minutes(name: string): string;
}

/** Previews, headlines and reasons are cut at this many characters, and stand in one line: letters quote them. */
const TEXT_MAX = 300;

function oneLine(text: string): string {
  return [
    ...text
      .slice(0, 4 * TEXT_MAX)
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, TEXT_MAX)
    .join('')
    .toWellFormed();
}

/** Reads the data of an event of the agent `handle`. */
export function readerOf(handle: string, data: EventText['data'], words: NoticeWords): EventText {
  const text = (name: string): string => {
    const value = data[name];
    return typeof value === 'string' ? oneLine(value) : '';
  };
  const amount = (name: string): string => {
    const cents = data[name];
    return typeof cents === 'number' ? dollars(cents) : words.some_amount;
  };
  const time = (name: string): string => {
    const at = text(name);
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d.*Z$/.test(at) ? `${at.slice(0, 16).replace('T', ' ')} UTC` : at;
  };
  const minutes = (name: string): string => {
    const length = data[name];
    return typeof length === 'number' ? words.talks.minutes(length) : '';
  };
  const who = (name: string): string => text(name) || words.somebody;
  return { handle, data, words, text, who, dollars: amount, time, minutes };
}
