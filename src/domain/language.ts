// The languages of texts for people, and how one is chosen. Catalogues are typed by the English one: a text with something to fill in is a
// function, and takes the same in each language. What is missing in one does not compile.

/** A catalogue as another language writes it: the same names, other texts. */
export type Widened<T> = T extends (...given: infer G) => string
  ? (...given: G) => string
  : T extends string
    ? string
    : { readonly [K in keyof T]: Widened<T[K]> };

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The first of the tags (as in `de-AT`) that there is a catalogue for; English where there is none. */
export function languageOf(tags: readonly string[]): Language {
  const wanted = tags.map((tag) => tag.toLowerCase().split('-')[0]);
  return wanted.flatMap((tag) => LANGUAGES.filter((each) => each === tag))[0] ?? 'en';
}
