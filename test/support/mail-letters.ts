// Answers by mail as programs write them, put together from the shapes of the corpora in `test/corpora/mail`: one for each
// language and shape. The languages and traps of `held-out.json` are others than those that the rules were first made by.
import heldOut from '../corpora/mail/held-out.json';
import written from '../corpora/mail/written.json';

export interface Letter {
  readonly name: string;
  readonly text: string;
  /** What its author wrote, line by line. */
  readonly own: string;
  /** Lines of the quotation and of what leads to it. */
  readonly quoted: readonly string[];
}

type Language = (typeof written)['languages']['en'];
type Shape = (language: Language) => {
  readonly text: string;
  readonly quoted?: readonly string[];
  readonly own?: string;
};

export const AUTHOR = 'ada@people.example';
export const REPLY = 'ada_ropes+0123456789abcdefghjkmnpqrs@agents.localhost';
const WHO = 'Bob Builder <bob_builder@agents.localhost>';

const marked = (text: string): string => text.replace(/^/gm, '> ');
const said = ({ attribution }: Language, who = WHO): string => attribution.replace('{who}', who);
/** A head as Outlook writes one, with who wrote and to whom. */
const head = ({ labels: [from, sent, to, subject], date }: Language, space = '', bold = ''): string =>
  [
    [from, WHO],
    [sent, date],
    [to, `Ada <${AUTHOR}>`],
    [subject, 'A rope'],
  ]
    .map(([label, value]) => `${bold}${label}${space}:${bold} ${value}`)
    .join('\n');

const WRITTEN: Readonly<Record<string, Shape>> = {
  'a blank line, an attribution, marks': (l) => ({ text: `${l.own}\n\n${said(l)}\n\n${marked(l.quoted)}\n` }),
  'an attribution right below': (l) => ({ text: `${l.own}\n${said(l)}\n${marked(l.quoted)}\n` }),
  'an attribution right below and a blank line': (l) => ({ text: `${l.own}\n${said(l)}\n\n> ${l.quoted}\n>\n> Bob\n` }),
  'unmarked text': (l) => ({ text: `${l.own}\n\n${said(l)}\n\n${l.quoted}\n` }),
  'an attribution by an address elsewhere': (l) => {
    const attribution = said(l, 'Bob <bob@work.example>');
    return { text: `${l.own}\n\n${attribution}\n\n${l.quoted}`, quoted: [attribution] };
  },
  'a head below a rule': (l) => ({ text: `${l.own}\n\n${'_'.repeat(32)}\n${head(l)}\n\n${l.quoted}\n` }),
  'a head alone': (l) => ({ text: `${l.own}\n\n${head(l)}\n\n${l.quoted}\n` }),
  'a head below a marker': (l) => ({ text: `${l.own}\n\n-----${l.marker}-----\n${head(l)}\n\n${l.quoted}\n` }),
  'an attribution wrapped at its address': (l) => ({
    text: `${l.own}\n\n${said(l).replace(' <', '\n<')}\n\n${marked(l.quoted)}\n`,
    quoted: said(l).length < 70 ? [] : said(l).replace(' <', '\n<').split('\n'),
  }),
  'answers in between': (l) => ({
    text: `${said(l)}\n> ${l.quoted}\n\n${l.own}\n\n> Bob\n`,
  }),
  'an answer below an unmarked attribution': (l) => ({ text: `${said(l)}\n\n${l.own}\n`, quoted: [said(l)] }),
  'a telephone': (l) => ({ text: `${l.own}\n\n${l.device}\n\n${said(l)}\n\n${marked(l.quoted)}`, quoted: [l.device] }),
  'a signature with the own address': (l) => ({
    text: `${l.own}\n\n-- \nAda Lovelace\n${AUTHOR}\n\n${said(l)}\n${marked(l.quoted)}\n`,
  }),
  'dashes around an attribution': (l) => ({
    text: `${l.own}\n\n---- On Mon, 15 Jun 2026 11:00:00 +0200 ${WHO} wrote ----\n\n${l.quoted}\n`,
  }),
};

const HELD_OUT: Readonly<Record<string, Shape>> = {
  'bold labels': (l) => ({ text: `${l.own}\n\n${head(l, '', '*')}\n\n${l.quoted}\n` }),
  'labels with blanks before their colons': (l) => ({ text: `${l.own}\n\n\n${head(l, ' ')}\n\n${l.quoted}\n` }),
  'the reply address on a line of its own': (l) => ({ text: `${l.own}\n\n${REPLY}\n\n${l.quoted}\n` }),
  'a head to the reply address': (l) => ({
    text: `${l.own}\n\n${head(l).replace(AUTHOR, REPLY)}\n\n${l.quoted}\n`,
  }),
  'two letters below each other': (l) => ({
    text: `${l.own}\n\n${said(l)}\n\n${marked(`${l.quoted}\n\n${said(l)}\n${marked('Bob')}`)}\n`,
  }),
  'a name in quotes, right below': (l) => {
    const attribution = said(l, '"Builder, Bob" <bob_builder@agents.localhost>');
    return { text: `${l.own}\n${attribution}\n\n${marked(l.quoted)}`, quoted: [attribution] };
  },
  'a long list of recipients': (l) => ({
    text: `${l.own}\n\n${head(l).replace(`<${AUTHOR}>`, `<${AUTHOR}>;\n Carl <carl@work.example>; Dora <dora@work.example>`)}\n\n${l.quoted}`,
  }),
  'a signature of two lines above the head': (l) => ({
    text: `${l.own}\n\nAda\n${AUTHOR}\n\n${head(l)}\n\n${l.quoted}\n`,
  }),
  'an own address in the words': (l) => ({
    text: `${l.own}\nada: ${AUTHOR.toUpperCase()}\n\n${said(l)}\n> ${l.quoted}\n`,
  }),
  'a telephone above a head': (l) => ({
    text: `${l.own}\n\n${l.device}\n${'_'.repeat(32)}\n${head(l)}\n\n${l.quoted}\n`,
  }),
  'nested marks and an answer at the end': (l) => ({
    text: `${said(l)}\n>> ${l.quoted}\n> Bob\n\n${l.own}\n`,
  }),
  'a mailed link behind the address': (l) => {
    const attribution = said(l, 'Bob <bob@work.example<mailto:bob@work.example>>');
    return { text: `${l.own}\n\n${attribution}\n\n${l.quoted}\n`, quoted: [attribution] };
  },
  'nothing below': (l) => ({ text: `${l.own}\n`, quoted: [] }),
};

function lettersOf(
  { languages, own }: typeof written | typeof heldOut,
  shapes: Readonly<Record<string, Shape>>,
): Letter[] {
  const made = Object.entries(languages).flatMap(([code, language]) =>
    Object.entries(shapes).map(([name, shape]): Letter => {
      const { text, quoted } = shape(language);
      return {
        name: `${code}: ${name}`,
        text,
        own: language.own,
        quoted: [language.quoted, ...(quoted ?? [said(language)])],
      };
    }),
  );
  // Own words that look a little like a quotation: alone, and above one.
  const traps = own.flatMap((text): Letter[] => [
    { name: `own: ${text}`, text: `${text}\n`, own: text, quoted: [] },
    {
      name: `own and quoted: ${text}`,
      text: `${text}\n\nOn Mon, 15 Jun 2026 at 11:00, ${WHO} wrote:\n\n> When?\n`,
      own: text,
      quoted: ['When?', 'wrote:\n\n'],
    },
  ]);
  return [...made, ...traps];
}

export const WRITTEN_LETTERS: readonly Letter[] = lettersOf(written, WRITTEN);
export const HELD_OUT_LETTERS: readonly Letter[] = lettersOf(heldOut, HELD_OUT);
