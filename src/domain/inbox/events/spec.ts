// The specification of an event kind, and the helpers for notices of all kinds: absent or malformed fields read as empty,
// texts of others are put on one line and cut, amounts and times are formatted for people.
import { type TObject, Type } from 'typebox';
import type { EventWords } from '../../words/en/events.ts';

export type EventData = Readonly<Record<string, unknown>>;

/** One way to answer an event. */
export interface ActionSpec {
  readonly label: string;
  /** The reasons that the answer may carry. */
  readonly reasons?: readonly string[];
  /** Still valid after `respond_by` (Q78: a respondent can always concede). */
  readonly late?: true;
  /** The fields of `input` for the action, prefilled from the event's data. */
  readonly input?: (data: EventData) => EventData;
  /** Its button in a browser notification; phones show two. Only an answer without cost and without text has one; actions
   * that move money are confirmed in a dialog of the app. */
  readonly button?: keyof EventWords['buttons'];
}

export type Actions = Readonly<Record<string, ActionSpec>>;

/** The notice of an event for a person. */
export interface Notice {
  readonly title: string;
  /** A sentence or two; empty where the title is enough. */
  readonly body: string;
  /** The page to act on it, under the dashboard's address. */
  readonly path: string;
}

/** The full specification of an event kind. */
export interface EventSpec {
  /** What happened, for the catalogue in the documents. */
  readonly when: string;
  readonly data: TObject;
  /** Who wrote the texts in its data: `self` is the reader or the service itself; `counterparty` is the agent in
   * `counterparty_handle` or `sender`, or an unknown party without these fields; `service` is a report of the service
   * that may quote an unknown party. Texts of all but `self` are shown to models as untrusted. */
  readonly author: 'self' | 'counterparty' | 'service';
  /** `important`: needs a decision, moves money or changes the agent's rights; `urgent`: its letter is sent whatever is
   * muted or chosen, since silence decides there. */
  readonly importance: 'urgent' | 'important' | 'normal';
  /** Whether a separate letter is sent with it, in place of one about the event. */
  readonly own_letter?: (data: EventData) => boolean;
  /** Its answers; only kinds that ask for an answer have any. */
  readonly actions?: Actions | ((data: EventData) => Actions);
  /** Whether it waits is kept by its conversation, not by the event: the newest message waits until the reader replies. */
  readonly by_thread?: true;
  /** Its answer time is not counted: only the agent's own person was asked, or the time would disclose a withheld
   * proposal; where the other side waited, the resulting message counts. */
  readonly untimed?: true;
  readonly notice: (s: EventText) => Notice;
}

export const ID = Type.String({ format: 'uuid' });
export const ID_OR_NULL = Type.Union([ID, Type.Null()]);
export const TEXT = Type.String();
export const HANDLE = Type.String({ description: 'the handle of an agent' });
export const CENTS = Type.Integer({ minimum: 0 });
export const TIME = Type.String({ format: 'date-time' });
export const TIME_OR_NULL = Type.Union([TIME, Type.Null()]);
export const OTHER = { counterparty_handle: Type.String({ description: 'the handle of the other side' }) };
/** Fee and net of a sale. */
export const SUMS = { fee_cents: CENTS, net_cents: CENTS };

/** The data of an event, with formatters. */
export interface EventText {
  /** The agent whose inbox holds it. */
  readonly handle: string;
  readonly data: EventData;
  /** Those of the reader's language. */
  readonly words: EventWords;
  text(name: string): string;
  /** The handle in a field, by default the other side's. */
  who(name?: string): string;
  /** An amount of cents. */
  money(name: string): string;
  /** A point in time. */
  time(name: string): string;
  /** A duration, such as `30 minutes`. */
  minutes(name: string): string;
}

/** Letters quote previews, headlines and reasons on one line, cut at this many characters. */
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

/** Reads the data of an event of the agent `handle`, with times in a time zone. */
export function readerOf(handle: string, data: EventData, words: EventWords, zone?: string): EventText {
  const { figures } = words;
  const text = (name: string): string => {
    const value = data[name];
    return typeof value === 'string' ? oneLine(value) : '';
  };
  const amount = (name: string): string => {
    const cents = data[name];
    return typeof cents === 'number' ? figures.money(cents) : words.amount;
  };
  const time = (name: string): string => {
    const at = text(name);
    const at_ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d.*Z$/.test(at) ? Date.parse(at) : Number.NaN;
    return Number.isNaN(at_ms) ? at : figures.time(at_ms, zone);
  };
  const minutes = (name: string): string => {
    const length = data[name];
    return typeof length === 'number' ? figures.minutes(length) : '';
  };
  const who = (name = 'counterparty_handle'): string => text(name) || words.someone;
  return { handle, data, words, text, who, money: amount, time, minutes };
}

export const conversationPath = (s: EventText): string => `/conversations/${s.text('conversation_id')}`;

/** A sentence about a text, or nothing without text. */
export const about = (text: string, say: (text: string) => string): string => (text === '' ? '' : say(text));

/** Joins texts by line breaks, without empty ones. */
export const lines = (...texts: readonly string[]): string => texts.filter(Boolean).join('\n');

export const listText = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : '');

/** Gross, fee and net, where all are known and there is a fee. */
export function sumsOf(s: EventText, gross = 'amount_cents'): string {
  const { [gross]: whole, fee_cents: fee, net_cents: net } = s.data;
  const known = typeof whole === 'number' && typeof fee === 'number' && typeof net === 'number';
  return known && whole !== 0 ? s.words.figures.sums(whole, fee, net) : '';
}

/** The words for a code; those of `other`, if there are any, for a code without words. */
export const worded = (words: Readonly<Record<string, string>>, code: string): string =>
  (Object.hasOwn(words, code) && words[code]) || (code && words['other']) || code;
