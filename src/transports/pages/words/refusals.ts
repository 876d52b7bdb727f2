// The words of pages that say no, by the code of the refusal: what happened, and what to do next.
import type { Code } from '../../../domain/fault.ts';

const later = { title: 'Please try again', next: 'Nothing was changed. Go back and try again in a moment.' };

const codes = {
  not_found: {
    title: 'There is no such page',
    next: 'Look at the address, or ask for a new link where you got this one.',
  },
  gone: {
    title: 'This link has ended',
    next: 'It was used, or its time is over. Ask for a new one where you got this one.',
  },
  rate_limited: { title: 'Too many tries', next: 'Wait a little, then go back and try again.' },
  too_many_tries: { title: 'Too many wrong codes', next: 'Go back and ask for a new code.' },
  proof_refused: { title: 'That site did not say who you are', next: 'Nothing was changed. Begin anew.' },
  provider_unavailable: { title: 'That site does not answer', next: 'Nothing was changed. Try again in a moment.' },
  provider_not_configured: { title: 'That site is not set up here', next: 'Choose another proof.' },
  conflict: later,
  overloaded: later,
  storage_full: {
    title: 'This cannot be saved now',
    next: 'Nothing was changed. Whoever runs this service has to make room.',
  },
  internal: {
    title: 'Something went wrong here',
    next: 'Nothing was changed. Try again; the number below helps us to find it.',
  },
} satisfies Partial<Record<Code, { readonly title: string; readonly next: string }>>;

export const refusals = {
  codes,
  /** Of any other code, over what the operation says of it. */
  otherwise: 'That cannot be done',
  request: (id: string) => `Request ${id}`,
  start: 'Start page',
  foreign_form: {
    title: 'That form is out of date',
    next: 'Nothing was changed. Go back, load the page again, and send it once more. Cookies have to be allowed for this site.',
  },
};
