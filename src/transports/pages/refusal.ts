// Pages that say no: what happened, and what to do next. Words for people, by the code of the refusal; what an operation says of a
// field is told by the form that has the field.
import { type Code, FAULTS, type Fault } from '../../domain/fault.ts';
import { retryHeaders } from '../wire.ts';
import { html } from './html.ts';
import type { Page } from './page.ts';
import type { Tongue } from './words.ts';

interface Told {
  readonly request_id: string;
  readonly tongue: Tongue;
}

/** A form that none of our pages sent, or one that was shown before somebody signed in or out. */
export function foreignFormPage({ words }: Tongue): Page {
  const { title, next } = words.refusals.foreign_form;
  return { status: 403, title, body: html`<h1>${title}</h1><p role="alert">${next}</p>` };
}

/** Of an address where nothing stands. */
export function absentPage({ words: { refusals, where_to } }: Tongue): Page {
  const { title, next } = refusals.codes.not_found;
  return {
    status: 404,
    title,
    body: html`<h1>${title}</h1><p>${next}</p><nav aria-label="${where_to}"><a class="button main" href="/">${refusals.start}</a></nav>`,
  };
}

export function refusalPage(refusal: Fault, { request_id, tongue }: Told): Page {
  const { codes, otherwise, request } = tongue.words.refusals;
  const { status } = FAULTS[refusal.fault];
  const said = typeof refusal.message === 'string' ? refusal.message : FAULTS[refusal.fault].message;
  const told: Partial<Record<Code, (typeof codes)['gone']>> = codes;
  const { title, next } = told[refusal.fault] ?? { title: otherwise, next: said };
  return {
    status,
    title,
    headers: retryHeaders(refusal),
    body: html`<h1>${title}</h1><p role="alert">${next}</p><p class="small">${request(request_id)}</p>`,
  };
}
