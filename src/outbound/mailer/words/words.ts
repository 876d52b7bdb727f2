// The words of letters and text messages, in each language.
import { type Language, wordsIn } from '../../../domain/language.ts';
import { de } from './de.ts';
import { en, type LetterWords } from './en.ts';

/** The texts in an account's language; English by default. */
export const letterWords = (language?: Language | null): LetterWords => wordsIn({ en, de }, language);
