// The operator's name and colour for the service, and the addresses of its terms. Catalogues of texts hold a mark in place of the name, which is
// replaced when a page or a letter is made.

export interface Instance {
  readonly name: string;
  readonly terms_url: string | null;
  readonly privacy_url: string | null;
  /** A picture, as a data: URL; null where there is none. */
  readonly logo: string | null;
  /** Its colour, `#rrggbb`, from which accents are derived. */
  readonly color: string;
}

/** The defaults. */
export const INSTANCE: Instance = {
  name: 'Meshwork',
  terms_url: null,
  privacy_url: null,
  logo: null,
  color: '#1f5fd6',
};

/** A private character, which no text holds. */
export const NAME = '\ue0ff';

/** A text of a catalogue with the name in it. */
export function withName(text: string, name: string): string {
  return text.replaceAll(NAME, () => name);
}
