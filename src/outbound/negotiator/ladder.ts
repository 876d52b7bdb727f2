// In which order an endpoint is asked for the forms: what worked last comes first, and one that is simply down costs no more than a request
// a question.
import { FORMS, type Form } from './forms.ts';

/** What is known of the forms of one endpoint and model. */
export interface Ladder {
  /** Those of a question, beginning with the one that worked last. An endpoint that has just taken none of them, and may be down altogether,
   * is asked for one a question, each time for another. */
  forms(): readonly Form[];
  worked(form: Form): void;
  /** Whether the form worked the last time, so that it was the endpoint which failed; the failure after that may be the form's again. */
  isSound(form: Form): boolean;
  allRefused(): void;
}

/** Nothing is known yet. */
export function createLadder(): Ladder {
  let first: Form = FORMS[0];
  let sound: Form | null = null;
  let is_lost = false;
  return {
    forms: () => {
      const at = FORMS.indexOf(first);
      return is_lost ? [first] : [...FORMS.slice(at), ...FORMS.slice(0, at)];
    },
    worked: (form) => {
      first = form;
      sound = form;
      is_lost = false;
    },
    isSound: (form) => {
      const was_sound = sound === form;
      if (was_sound) sound = null;
      return was_sound;
    },
    allRefused: () => {
      if (is_lost) first = FORMS[(FORMS.indexOf(first) + 1) % FORMS.length] ?? first;
      is_lost = true;
    },
  };
}
