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

function markupOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part).replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
}

/** Writes markup: html`<p>${name}</p>`. */
export function html(texts: readonly string[], ...parts: readonly Part[]): Html {
  return Html.of(texts, parts);
}
