// What a person reads of events, in each language.
import { type Language, wordsIn } from '../language.ts';
import { events as de } from './de/events.ts';
import { type EventWords, events as en } from './en/events.ts';

/** In the language of an account; in English where it has none. */
export const eventWords = (language?: Language | null): EventWords => wordsIn({ en, de }, language);
