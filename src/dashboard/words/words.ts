// The words of the app, in the language of this browser. English is part of the app; another language is a file of its own, which the
// page names and which is loaded before anything is shown. Two more are made of English, for tests: texts that are 40 % longer, and a
// page that runs from right to left.
import { type Language, languageOf, translated, type Widened } from '../../domain/language.ts';
import type { texts as german } from './de.ts';
import { en } from './en.ts';
import { lengthened } from './pseudo.ts';

/** All texts of the app; those with something to fill in are functions. */
type Words = Widened<typeof en>;

/** `?locale=` of the app's address chooses for this visit; it is how the pages are tried out. */
const asked = new URLSearchParams(location.search).get('locale') ?? sessionStorage.getItem('meshwork-locale');
if (asked !== null) sessionStorage.setItem('meshwork-locale', asked);

const language: Language = languageOf(asked === null ? navigator.languages : [asked]);

/** English where the file is not to be had, as without a network. */
async function loaded(): Promise<Words> {
  const address = document.querySelector(`link[data-words="${language}"]`)?.getAttribute('href');
  if (!address) return en;
  return import(address).then(({ texts }: { readonly texts: typeof german }) => translated(en, texts)).catch(() => en);
}

export const words: Words = asked === 'pseudo' || asked === 'rtl' ? lengthened<Words>(en) : await loaded();

/** For Intl: numbers, money and dates are written as this reader writes them. */
export const locale: string =
  asked === 'rtl' ? 'ar' : asked === null || asked === 'pseudo' ? navigator.language || 'en' : asked;

/** Tells the document what language it is in, and which way it runs. */
export function setDocumentLanguage(): void {
  document.documentElement.lang = language;
  document.documentElement.dir = asked === 'rtl' ? 'rtl' : 'ltr';
}
