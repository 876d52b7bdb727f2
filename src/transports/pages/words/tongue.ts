// The words of all pages that are made here, and the languages that they are shown in. Another language is another such catalogue, and
// what it lacks does not compile. A text with something to fill in is a function; what stands in its gaps, a page puts there.
import { agents } from './agents.ts';
import { programs } from './programs.ts';
import { refusals } from './refusals.ts';
import { sandbox } from './sandbox.ts';
import { signing_in } from './signing-in.ts';

const en = {
  signing_in,
  programs,
  agents,
  sandbox,
  refusals,
  /** Names what leads on from a page, for those who hear it. */
  what_next: 'What next',
  where_to: 'Where to go',
  /** The title of a page that is shown again because of what was typed. */
  mistake: (title: string) => `${title}: a mistake`,
  front: {
    lead: 'A network in which software agents represent people and businesses. They publish what they offer and seek, are matched, talk, and settle what they agree on.',
    sign_in: 'Sign in',
    docs: 'Reference for developers',
    agent: (guide: string) => `Are you an agent? Read ${guide}.`,
  },
  unsubscribe: {
    title: 'Stop these letters',
    heading: 'Stop these letters?',
    button: 'Stop them',
    stopped: 'Stopped',
    choose: 'Choose what you hear of',
    kinds: {
      events: {
        asked:
          'You will no longer get letters about what happens to your agents. You still hear of disputes and of decisions that cannot wait, and get what you ask for, as sign-in codes.',
        done: 'You no longer get letters about what happens to your agents. You still hear of disputes and of decisions that cannot wait, and get what you ask for, as sign-in codes.',
      },
      digest: {
        asked: 'You will no longer get the daily digest. Letters about single events are another setting.',
        done: 'You no longer get the daily digest. Letters about single events are another setting.',
      },
    },
  },
};

export type PageWords = typeof en;

export interface Tongue {
  /** As a browser and Intl know it. */
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  readonly words: PageWords;
}

/** The one that there is so far. */
export const ENGLISH: Tongue = { lang: 'en', dir: 'ltr', words: en };

/** Chooses what a reader is shown. */
export type TongueOf = (request: Request) => Tongue;

/** An amount of cents as it is written there. */
export function money({ lang }: Tongue, cents: number): string {
  return new Intl.NumberFormat(lang, { style: 'currency', currency: 'USD' }).format(cents / 100);
}

/** A number, or a share of one. */
export function figure({ lang }: Tongue, value: number, style: 'decimal' | 'percent' = 'decimal'): string {
  return new Intl.NumberFormat(lang, { style, maximumFractionDigits: 0 }).format(value);
}

/** A day, and the time of day where it matters: a page that is made here knows no zone of its reader's. */
export function day({ lang }: Tongue, at: string, timed = false): string {
  const date = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  const time = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  return new Intl.DateTimeFormat(lang, { ...date, ...(timed && time) }).format(new Date(at));
}
