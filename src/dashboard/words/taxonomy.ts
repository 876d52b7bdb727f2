// Puts the listing taxonomy into the reader's language. What no text knows stays as the service says it.
import type { Words } from './words.ts';

type Taxonomy = Words['taxonomy'];

const spaced = (text: string): string => text.replaceAll('_', ' ');

/** The English label of a field: its description, else its name. Amounts are typed in dollars. */
export function englishLabel(name: string, description = name): string {
  const label = spaced(description).replace(/\.$|, USD cents$/, '');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

export function kindText(label: string, { kinds }: Taxonomy): string {
  return kinds[label] ?? label;
}

export function fieldText(name: string, description: string | undefined, { fields }: Taxonomy): string {
  const label = englishLabel(name, description);
  return fields[label] ?? label;
}

export function choiceText(code: string, { choices }: Taxonomy): string {
  return choices[code] ?? spaced(code);
}
