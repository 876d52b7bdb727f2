// A mailer whose code is loaded with its first letter: composing mail takes a large library that would delay the
// start.
import type { Mail, Mailer } from './mail.ts';

/** Sends through the mailer that `load` makes, once. */
export function lazyMailer(load: () => Promise<Mailer>): Mailer {
  let made: Promise<Mailer> | null = null;
  return {
    send: async (mail: Mail, gone?: AbortSignal) => {
      made ??= load();
      return (await made).send(mail, gone);
    },
  };
}
