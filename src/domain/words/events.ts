// Texts of events for people, in each language.
import { type Language, wordsIn } from '../language.ts';
import { events as de } from './de/events.ts';
import { type EventWords, events as en } from './en/events.ts';

/** The texts in an account's language; English by default. */
export const eventWords = (language?: Language | null): EventWords => wordsIn({ en, de }, language);
