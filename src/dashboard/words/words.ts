// The words of the app, in the language of this browser. There is one catalogue per language; what is missing in one does not
// compile. Two more are made of the English one, for tests: texts that are 40 % longer, and a page that runs from right to left.

import { en } from './en.ts';
import { lengthened } from './pseudo.ts';

type Widened<T> = T extends (...given: infer G) => string
  ? (...given: G) => string
  : T extends string
    ? string
    : { readonly [K in keyof T]: Widened<T[K]> };

/** All texts of the app; those with something to fill in are functions. */
type Words = Widened<typeof en>;

/** `?locale=` of the app's address chooses for this visit; it is how the pages are tried out. */
const asked = new URLSearchParams(location.search).get('locale') ?? sessionStorage.getItem('meshwork-locale');
if (asked !== null) sessionStorage.setItem('meshwork-locale', asked);

export const words: Words = asked === 'pseudo' || asked === 'rtl' ? lengthened(en) : en;

/** For Intl: numbers, money and dates are written as this reader writes them. */
export const locale: string =
  asked === 'rtl' ? 'ar' : asked === null || asked === 'pseudo' ? navigator.language || 'en' : asked;

/** Tells the document what language it is in, and which way it runs. */
export function setDocumentLanguage(): void {
  document.documentElement.lang = 'en';
  document.documentElement.dir = asked === 'rtl' ? 'rtl' : 'ltr';
}
