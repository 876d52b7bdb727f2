// The languages of texts for people, and how one is chosen. Catalogues are typed by the English one: a text with values is a function
// with the same parameters in each language. A missing text does not compile.

/** The type of a catalogue in another language: the same names, other texts. */
export type Widened<T> = T extends (...given: infer G) => string
  ? (...given: G) => string
  : T extends string
    ? string
    : { readonly [K in keyof T]: Widened<T[K]> };

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The words of a language; by default English. */
export function wordsIn<W>(catalogues: Readonly<Record<Language, W>>, language?: Language | null): W {
  return catalogues[language ?? 'en'];
}

/** The language of the first tag (such as `de-AT`) with a catalogue; null where none has one. */
function knownLanguage(tags: readonly string[]): Language | null {
  const wanted = tags.map((tag) => tag.toLowerCase().split('-')[0]);
  return wanted.flatMap((tag) => LANGUAGES.filter((each) => each === tag))[0] ?? null;
}

/** The same; by default English. */
export function languageOf(tags: readonly string[]): Language {
  return knownLanguage(tags) ?? 'en';
}

/** The languages of Accept-Language (RFC 9110, 12.5.4), most preferred first. */
function acceptedTags(accept: string): string[] {
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

/** The language that a request accepts; null where it names none with a catalogue. */
export function acceptedLanguage(accept: string | null): Language | null {
  return accept === null ? null : knownLanguage(acceptedTags(accept));
}

/** What is known of an account's language. */
export interface Reader {
  /** That its person has chosen; null for that of the browser. */
  readonly language: Language | null;
  /** That of the browser of the last sign-in. */
  readonly seen_language: Language | null;
}

/** The language of what a person reads outside the app: the chosen one, else that of the browser. `asking` is the language of the
 * request that it answers. Null: none is known. */
export function languageFor(reader: Reader | null | undefined, asking: Language | null = null): Language | null {
  return reader?.language ?? asking ?? reader?.seen_language ?? null;
}
