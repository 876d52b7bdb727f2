// Stripe's way of saying objects in forms: `metadata[id]=7&expand[0]=data.source`.

export type Fields = { [name: string]: string | Fields };

/** Reads a form or a query string into nested fields. */
export function readForm(text: string): Fields {
  const fields: Fields = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const parts = name.replaceAll(']', '').split('[');
    const last = parts.pop() ?? '';
    let into = fields;
    for (const part of parts) {
      const known = into[part];
      const next = typeof known === 'object' ? known : {};
      into[part] = next;
      into = next;
    }
    into[last] = value;
  }
  return fields;
}

export function text(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' ? value : undefined;
}

export function group(fields: Fields, name: string): Fields {
  const value = fields[name];
  return typeof value === 'object' ? value : {};
}

/** Metadata as Stripe keeps them: texts alone. */
export function metadataOf(fields: Fields): Record<string, string> {
  const pairs = Object.entries(group(fields, 'metadata'));
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'));
}
