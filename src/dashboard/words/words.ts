// The words of the app, in the language of the browser. English comes with the app, another language is
// loaded before anything is shown. There is one catalogue per language; what is missing in one does not compile. Two more are made of
// the English one, for tests: texts that are 40 % longer, and a page that runs from right to left.

import { type Language, languageOf, type Widened } from '../../domain/language.ts';
import { en } from './en.ts';
import { lengthened } from './pseudo.ts';

/** All texts of the app; those with something to fill in are functions. */
export type Words = Widened<typeof en>;

/** `?locale=` of the app's address chooses for this visit; it is how the pages are tried out. */
const asked = new URLSearchParams(location.search).get('locale') ?? sessionStorage.getItem('meshwork-locale');
if (asked !== null) sessionStorage.setItem('meshwork-locale', asked);

/** The language that is shown. */
const language: Language = languageOf(asked === null ? navigator.languages : [asked]);

async function catalogue(): Promise<Words> {
  if (asked === 'pseudo' || asked === 'rtl') return lengthened(en);
  return language === 'de' ? (await import('./de.ts')).de : en;
}

export const words: Words = await catalogue();

/** For Intl: numbers, money and dates are written as this reader writes them. */
export const locale: string = localeOf();

function localeOf(): string {
  if (asked === 'rtl') return 'ar';
  const own = navigator.languages.find((each) => each.slice(0, 2) === language);
  return own ?? language;
}

/** Tells the document what language it is in, and which way it runs. */
export function setDocumentLanguage(): void {
  document.documentElement.lang = language;
  document.documentElement.dir = asked === 'rtl' ? 'rtl' : 'ltr';
}
