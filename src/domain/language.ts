// The languages of texts for people, and how one is chosen. Catalogues are typed by the English one: a text with something to fill in is a
// function, and takes the same in each language.

/** A catalogue as another language writes it: the same names, other texts. */
export type Widened<T> = T extends (...given: infer G) => string
  ? (...given: G) => string
  : T extends string
    ? string
    : { readonly [K in keyof T]: Widened<T[K]> };

/** The same where texts may be missing, which are then shown in English. */
export type Translated<T> = T extends (...given: infer G) => string
  ? (...given: G) => string
  : T extends string
    ? string
    : { readonly [K in keyof T]?: Translated<T[K]> };

/** A catalogue with the texts of another language, and its own where these lack one. */
export function translated<T extends object>(own: T, other: Translated<T>): Widened<T> {
  const texts: Readonly<Record<string, unknown>> = { ...other };
  return Object.fromEntries(
    Object.entries(own).map(([name, text]) => {
      const found = texts[name];
      if (Array.isArray(text)) return [name, found ?? text];
      if (typeof text === 'object' && text !== null) return [name, translated(text, (found ?? {}) as object)];
      return [name, typeof found === typeof text ? found : text];
    }),
  ) as Widened<T>;
}

const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The first of the tags (as in `de-AT`) that there is a catalogue for; English where there is none. */
export function languageOf(tags: readonly string[]): Language {
  const wanted = tags.map((tag) => tag.toLowerCase().split('-')[0]);
  return wanted.flatMap((tag) => LANGUAGES.filter((each) => each === tag))[0] ?? 'en';
}
