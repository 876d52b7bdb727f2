// The words of signing in, here and elsewhere.

export const signing_in = {
  title: 'Sign in',
  lead: 'We mail you six digits. A new address gets an account with them.',
  email: 'Email address',
  mail_code: 'Mail me a code',
  mail_link: 'Mail me a link',
  passkey: 'Use a passkey',
  passkey_unused: 'No passkey was used. Have a code mailed to you, or try again.',
  followed: 'You followed a sign-in link. It signs this browser in to the account that it was mailed to.',
  finish: 'Finish signing in',
  no_script: 'Did you follow a link from a letter? Following it needs JavaScript. Ask for a code here in its place.',
  kept: (email: string) =>
    `This server sends no mail. The letter is a file in DATA_DIR/outbox; “meshwork outbox ${email}” prints it there.`,
  code: {
    title: 'Enter the code',
    sent: (email: string) => `Six digits are on their way to ${email}. They work for ten minutes.`,
    label: 'Code',
    done: 'Sign in',
    again: 'Mail another code',
    other: 'Use another address',
  },
  link_sent: {
    title: 'Look into your mail',
    lead: (email: string) =>
      `If ${email} has an account, a sign-in link is on its way. It works once, within 24 hours.`,
  },
  signed_in: {
    title: 'You are signed in',
    lead: 'Go on, or sign out to use another address.',
    lead_outside: 'Go on, or sign out here. At the identity provider you stay signed in.',
    on: 'Continue',
    out: 'Sign out',
  },
  problems: {
    address: 'That is no email address.',
    passkey: 'That passkey was not taken. Try again, or have a code mailed to you.',
    invalid_code: 'That code is wrong, or its ten minutes are over.',
    invalid_request: 'A code has six digits.',
    too_many_tries: 'Too many wrong codes. Ask for another one.',
  },
  /** Where an identity provider elsewhere says who people are. */
  outside: {
    lead: (host: string) =>
      `People of this service are known by ${host}. Whoever comes for the first time gets an account.`,
    button: (host: string) => `Sign in with ${host}`,
    title: 'Continue',
    heading: (host: string) => `Continue at ${host}`,
    back: 'There you say who you are; you come back by yourself.',
    on: 'Continue',
    again: 'Try again',
  },
  /** Of the link that the server prints while it has no administrator. */
  set_up: {
    title: 'Set up this server',
    lead: 'Say which mail address administers it. This link does so once; you sign in with a code afterwards.',
    email: 'Email address',
    button: 'Make it the administrator',
    problem: 'That is no mail address. Write one as in ann@example.com.',
    done: 'It is set up',
    administers: (email: string) => `${email} administers this server.`,
    code: 'Your code',
    code_comes: 'comes by mail; without a mail server (SMTP_URL) it rests in DATA_DIR/outbox',
    reached: 'Others reach it at',
    sign_in: 'Sign in',
  },
};
