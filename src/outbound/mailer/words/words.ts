// The words of letters and text messages, in each language.
import { type Language, languageFor, type Reader, wordsIn } from '../../../domain/language.ts';
import { de } from './de.ts';
import { en, type LetterWords } from './en.ts';

/** The texts in a language; English by default. */
export const letterWords = (language?: Language | null): LetterWords => wordsIn({ en, de }, language);

/** The texts in the language of an account. */
export const letterWordsFor = (reader: Reader | null | undefined): LetterWords => letterWords(languageFor(reader));
