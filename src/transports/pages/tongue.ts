// A page's language: the account's; without one, the browser's most preferred available language.
import type { Instance } from '../../domain/instance.ts';
import { acceptedLanguage, type Language, wordsIn } from '../../domain/language.ts';
import { ENGLISH, type Tongue } from './words.ts';
import { de } from './words-de.ts';

/** The reader's language if available, else English. */
export function tongueFor(request: Request, own: Language | null, instance: Instance): Tongue {
  const language = own ?? acceptedLanguage(request.headers.get('accept-language')) ?? 'en';
  return { ...ENGLISH, lang: language, words: wordsIn({ en: ENGLISH.words, de }, language), instance };
}
