// Pages that say no: what happened, and what to do next. Words for people, by the code of the refusal; what an operation says of a
// field is told by the form that has the field.
import { type Code, FAULTS, type Fault } from '../../domain/fault.ts';
import { retryHeaders } from '../wire.ts';
import { html } from './html.ts';
import type { Page } from './page.ts';

interface Words {
  readonly title: string;
  readonly next: string;
}

const LATER: Words = { title: 'Please try again', next: 'Nothing was changed. Go back and try again in a moment.' };
const ABSENT: Words = {
  title: 'There is no such page',
  next: 'Look at the address, or ask for a new link where you got this one.',
};

const WORDS: Readonly<Partial<Record<Code, Words>>> = {
  not_found: ABSENT,
  gone: {
    title: 'This link has ended',
    next: 'It was used, or its time is over. Ask for a new one where you got this one.',
  },
  rate_limited: { title: 'Too many tries', next: 'Wait a little, then go back and try again.' },
  too_many_tries: { title: 'Too many wrong codes', next: 'Go back and ask for a new code.' },
  proof_refused: { title: 'That site did not say who you are', next: 'Nothing was changed. Begin anew.' },
  provider_unavailable: { title: 'That site does not answer', next: 'Nothing was changed. Try again in a moment.' },
  provider_not_configured: { title: 'That site is not set up here', next: 'Choose another proof.' },
  conflict: LATER,
  overloaded: LATER,
  internal: {
    title: 'Something went wrong here',
    next: 'Nothing was changed. Try again; the number below helps us to find it.',
  },
};

/** A form that none of our pages sent, or one that was shown before somebody signed in or out. */
export const FOREIGN_FORM: Page = {
  status: 403,
  title: 'That form is out of date',
  body: html`<h1>That form is out of date</h1><p role="alert">Nothing was changed. Go back, load the page again, and send it once more. Cookies have to be allowed for this site.</p>`,
};

/** Of an address where nothing stands. */
export const ABSENT_PAGE: Page = {
  status: 404,
  title: ABSENT.title,
  body: html`<h1>${ABSENT.title}</h1><p>${ABSENT.next}</p><nav aria-label="Where to go"><a class="button main" href="/">Start page</a></nav>`,
};

/** The page of a refusal. */
export function refusalPage(refusal: Fault, request_id: string): Page {
  const { status } = FAULTS[refusal.fault];
  const said = typeof refusal.message === 'string' ? refusal.message : FAULTS[refusal.fault].message;
  const { title, next } = WORDS[refusal.fault] ?? { title: 'That cannot be done', next: said };
  return {
    status,
    title,
    headers: retryHeaders(refusal),
    body: html`<h1>${title}</h1><p role="alert">${next}</p><p class="small">Request ${request_id}</p>`,
  };
}
