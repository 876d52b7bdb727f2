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

/** The language of the first tag (such as `de-AT`) with a catalogue; by default English. */
export function languageOf(tags: readonly string[]): Language {
  const wanted = tags.map((tag) => tag.toLowerCase().split('-')[0]);
  return wanted.flatMap((tag) => LANGUAGES.filter((each) => each === tag))[0] ?? 'en';
}
