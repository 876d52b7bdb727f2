// The words of letters and text messages, in each language.
import { type Language, wordsIn } from '../../../domain/language.ts';
import { de } from './de.ts';
import { en, type LetterWords } from './en.ts';

/** In the language of an account; in English where it has none. */
export const letterWords = (language?: Language | null): LetterWords => wordsIn({ en, de }, language);
