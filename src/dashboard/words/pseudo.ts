// Texts as a longer language would have them: 40 % more letters, and accents on those that take one. A page that holds them holds
// German and Finnish too.

const ACCENTED: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  A: 'Á',
  E: 'É',
  O: 'Ó',
  n: 'ñ',
};

function longer(text: string): string {
  const accented = text.replaceAll(/[aeiouAEOn]/g, (letter) => ACCENTED[letter] ?? letter);
  return `${accented}${'~'.repeat(Math.ceil(text.length * 0.4))}`;
}

/** The same catalogue with longer texts. */
export function lengthened<T>(texts: T): T {
  if (typeof texts === 'string') return longer(texts) as T;
  if (typeof texts === 'function') return ((...given: unknown[]) => longer(String(texts(...given)))) as T;
  return Object.fromEntries(Object.entries(texts as object).map(([name, text]) => [name, lengthened(text)])) as T;
}
