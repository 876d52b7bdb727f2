// A page's language: the account's; without one, the browser's most preferred available language.
import type { Instance } from '../../domain/instance.ts';
import { type Language, languageOf, wordsIn } from '../../domain/language.ts';
import { ENGLISH, type Tongue } from './words.ts';
import { de } from './words-de.ts';

/** The languages of Accept-Language (RFC 9110, 12.5.4), most preferred first. */
function wanted(accept: string): string[] {
  const ranges = accept
    .slice(0, 1_000)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1);
      return { tag, weight: Number.isNaN(weight) ? 0 : weight };
    });
  return ranges
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** The reader's language if available, else English. */
export function tongueFor(request: Request, own: Language | null, instance: Instance): Tongue {
  const language = own ?? languageOf(wanted(request.headers.get('accept-language') ?? ''));
  return { ...ENGLISH, lang: language, words: wordsIn({ en: ENGLISH.words, de }, language), instance };
}
