// What is declared of a kind of event, and what the notices of all kinds are written with: fields that are absent or
// misshapen read as empty, texts of others stand in one line and are cut, amounts and times are written as people write them.
import { type TObject, Type } from 'typebox';
import { ENGLISH_SUMS, sumLines } from '../../money/sum-lines.ts';
import { dollars } from '../../money/typed.ts';

export type EventData = Readonly<Record<string, unknown>>;

/** One way to answer an event. */
export interface ActionSpec {
  readonly label: string;
  /** The reasons that the answer may carry. */
  readonly reasons?: readonly string[];
  /** Still valid after `respond_by` (Q78: a respondent can always concede). */
  readonly late?: true;
  /** What `input` must hold for the action, filled in from the event's data as a first value. */
  readonly input?: (data: EventData) => EventData;
  /** Its button in a notification of a browser. Phones show two. Only an answer that gives nothing away and needs no words
   * has one; what moves money is asked for in a dialog of the app. */
  readonly button?: string;
}

export type Actions = Readonly<Record<string, ActionSpec>>;

/** What a person reads of an event. */
export interface Notice {
  readonly title: string;
  /** A sentence or two; empty where the title says it all. */
  readonly body: string;
  /** Where one acts on it, under the dashboard's address. */
  readonly path: string;
}

/** A kind of event: all that is known of it in one place. */
export interface EventSpec {
  /** What happened, for the catalogue in the documents. */
  readonly when: string;
  readonly data: TObject;
  /** Who wrote the texts in its data: `self` is the reader or the service by its own words; `counterparty` is the agent in
   * `counterparty_handle` or `sender`, or somebody unnamed where neither is there; `service` is a report of the service
   * that may quote somebody unnamed. Texts of all but `self` are shown to models as untrusted. */
  readonly author: 'self' | 'counterparty' | 'service';
  /** `important` wants a decision, moves money or changes what the agent may do; the letter about an `urgent` one is sent
   * whatever was muted or chosen, since silence decides there. */
  readonly importance: 'urgent' | 'important' | 'normal';
  /** Whether a letter of its own is sent with it, so that none is about the event. */
  readonly own_letter?: (data: EventData) => boolean;
  /** How it is answered; only kinds that ask for an answer have any. */
  readonly actions?: Actions | ((data: EventData) => Actions);
  /** How long its answer took is kept from others: only the agent's own person was asked, or everybody could read from it
   * that something was withheld; where the other side waited, the message that the answer writes tells it. */
  readonly untimed?: true;
  /** The kind in the app. */
  readonly title: string;
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
/** Of what is paid for something sold. */
export const SUMS = { fee_cents: CENTS, net_cents: CENTS };

/** The data of an event with the ways to read it. */
export interface EventText {
  /** Whose inbox it is in. */
  readonly handle: string;
  readonly data: EventData;
  text(name: string): string;
  /** The handle in a field; the other side's unless said. */
  who(name?: string): string;
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
export function readerOf(handle: string, data: EventData): EventText {
  const text = (name: string): string => {
    const value = data[name];
    return typeof value === 'string' ? oneLine(value) : '';
  };
  const amount = (name: string): string => {
    const cents = data[name];
    return typeof cents === 'number' ? dollars(cents) : 'An amount';
  };
  const time = (name: string): string => {
    const at = text(name);
    return /^\d{4}-\d\d-\d\dT\d\d:\d\d.*Z$/.test(at) ? `${at.slice(0, 16).replace('T', ' ')} UTC` : at;
  };
  const minutes = (name: string): string => {
    const length = data[name];
    return typeof length === 'number' ? `${length} minutes` : '';
  };
  const who = (name = 'counterparty_handle'): string => text(name) || 'another agent';
  return { handle, data, text, who, dollars: amount, time, minutes };
}

export const conversationPath = (s: EventText): string => `/conversations/${s.text('conversation_id')}`;

/** A sentence about a text, where there is one. */
export const about = (text: string, say: (text: string) => string): string => (text === '' ? '' : say(text));

/** Texts under each other, without those that are empty. */
export const lines = (...texts: readonly string[]): string => texts.filter(Boolean).join('\n');

export const listText = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : '');

/** Gross, fee and net, a line each, where all are known and there is something to share. */
export function sumsOf(s: EventText, gross = 'amount_cents'): string {
  const told = [gross, 'fee_cents', 'net_cents'];
  if (told.some((name) => typeof s.data[name] !== 'number') || s.data[gross] === 0) return '';
  const [fee, net] = [s.dollars('fee_cents'), s.dollars('net_cents')];
  return sumLines(ENGLISH_SUMS, { gross: s.dollars(gross), fee, net });
}
