// Which language a page is shown in: that of the account; where none is known, what the browser puts first of those that there are.
import type { Instance } from '../../domain/instance.ts';
import { type Language, languageOf, wordsIn } from '../../domain/language.ts';
import { ENGLISH, type Tongue } from './words.ts';
import { de } from './words-de.ts';

/** The languages of an Accept-Language (RFC 9110, 12.5.4), most wanted first. */
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

/** In the reader's language where there is one, else in English. */
export function tongueFor(request: Request, own: Language | null, instance: Instance): Tongue {
  const language = own ?? languageOf(wanted(request.headers.get('accept-language') ?? ''));
  return { ...ENGLISH, lang: language, words: wordsIn({ en: ENGLISH.words, de }, language), instance };
}
