// HTML that is escaped by its make: what is put into a template is text, unless it was made by the template itself. Attributes
// stand in double quotes; an address that is linked to is the service's own, or that of a site which its operator set up.

/** Markup; made by `html` alone. */
export class Html {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Of the parts of a template. */
  static of(texts: readonly string[], parts: readonly Part[]): Html {
    return new Html(texts.map((text, at) => text + markupOf(parts[at] ?? '')).join(''));
  }
}

type Part = string | number | Html | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

function markupOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return escaped(String(part));
}

/** Writes markup: html`<p>${name}</p>`. */
export function html(texts: readonly string[], ...parts: readonly Part[]): Html {
  return Html.of(texts, parts);
}

/** Private characters, which no text holds: one for each gap. */
const GAP = 0xe000;
const GAPS = /[\ue000-\ue00f]/;

/** A text of the catalogue, which holds no markup, with markup in its gaps, wherever its language has them. */
export function filled<P extends readonly Html[]>(
  text: (...gaps: { [K in keyof P]: string }) => string,
  ...parts: P
): Html {
  const gaps = parts.map((_, at) => String.fromCharCode(GAP + at)) as { [K in keyof P]: string };
  const written = text(...gaps);
  const order = [...written].filter((sign) => GAPS.test(sign)).map((sign) => parts[sign.charCodeAt(0) - GAP] ?? html``);
  return Html.of(written.split(GAPS).map(escaped), order);
}
