// The words of the app, in the language of the account, else of the browser. English comes with the app, another language is
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

/** Where the browser keeps the language of the account, which is known only after the words are there. */
const PLACE = 'meshwork-language';

function chosen(): Language {
  const own = localStorage.getItem(PLACE);
  if (asked !== null) return languageOf([asked]);
  return languageOf(own === null ? navigator.languages : [own]);
}

/** The language that is shown. */
const language: Language = chosen();

/** Keeps the language of the account, null where it has none; whether the page shows another one. */
export function keepLanguage(own: Language | null): boolean {
  if (own === null) localStorage.removeItem(PLACE);
  else localStorage.setItem(PLACE, own);
  return chosen() !== language;
}

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
