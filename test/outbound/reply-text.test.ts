// Guards what of a mail counts as its author's words, by the shapes in which mail programs really quote and sign.
import { describe, expect, test } from 'bun:test';
import * as reply from '../../src/outbound/reading/reply-text.ts';
import { expectLinear, loadCounted } from '../support/steps.ts';

const ownText = (text: string): string => reply.ownText(text, 'agents.example');

const SAID = 'Tomorrow is fine.\n\nShall we say ten?';

/** What programs put under an answer; each stands under SAID. */
const BELOW: readonly [string, string][] = [
  ['Gmail', 'On Mon, Jun 15, 2026 at 11:00 AM Bob <bob+0x@agents.example> wrote:\n\n> When?\n> Bob'],
  ['Gmail, wrapped', 'On Mon, Jun 15, 2026 at 11:00 AM Bob The Builder\n<bob@agents.example>\nwrote:\n> When?'],
  ['Gmail in German', 'Am Mo., 15. Juni 2026 um 11:00 Uhr schrieb Bob <bob@agents.example>:\n\n> Wann?'],
  ['Gmail in French', 'Le lun. 15 juin 2026 à 11:00, Bob <bob@agents.example> a écrit :\n\n> Quand ?'],
  ['Gmail in Spanish', 'El lun, 15 jun 2026 a las 11:00, Bob (<bob@agents.example>) escribió:\n\n> ¿Cuándo?'],
  ['Gmail in Italian', 'Il giorno lun 15 giu 2026 alle ore 11:00 Bob <bob@agents.example> ha scritto:\n\n> Quando?'],
  ['Gmail in Portuguese', 'Em seg., 15 de jun. de 2026 às 11:00, Bob <bob@agents.example> escreveu:\n\n> Quando?'],
  ['Gmail in Dutch', 'Op ma 15 jun 2026 om 11:00 schreef Bob <bob@agents.example>:\n\n> Wanneer?'],
  ['Gmail in Swedish', 'Den mån 15 juni 2026 kl 11:00 skrev Bob <bob@agents.example>:\n\n> När?'],
  ['Gmail in Polish', 'pon., 15 cze 2026 o 11:00 Bob <bob@agents.example> napisał(a):\n\n> Kiedy?'],
  ['Gmail in Russian', 'пн, 15 июн. 2026 г. в 11:00, Bob <bob@agents.example> пишет:\n\n> Когда?'],
  ['Gmail in Japanese', '2026年6月15日(月) 11:00 Bob <bob@agents.example>:\n\n> いつ？'],
  ['Gmail in Chinese', 'Bob <bob@agents.example> 于2026年6月15日周一 11:00写道：\n\n> 什么时候？'],
  ['Apple Mail', 'On 15 Jun 2026, at 11:00, Bob <bob@agents.example> wrote:\n\n> When?'],
  ['iPhone', 'Sent from my iPhone\n\n> On 15 Jun 2026, at 11:00, Bob <bob@agents.example> wrote:\n> \n> When?'],
  ['Thunderbird', '\nOn 6/15/26 11:00, Bob wrote:\n> When?\n\n-- \nAda Lovelace\n+44 20 7946 0000'],
  [
    'Outlook',
    '________________________________\nFrom: Bob <bob@agents.example>\nSent: Monday, June 15, 2026 11:00 AM\nTo: Ada\nSubject: A rope\n\nWhen?',
  ],
  [
    'Outlook in German',
    'Von: Bob <bob@agents.example>\nGesendet: Montag, 15. Juni 2026 11:00\nAn: Ada\nBetreff: A\n\nWann?',
  ],
  [
    'Outlook in French',
    'De : Bob <bob@agents.example>\nEnvoyé : lundi 15 juin 2026 11:00\nÀ : Ada\nObjet : A\n\nQuand ?',
  ],
  [
    'Outlook in Russian',
    'От: Bob <bob@agents.example>\nОтправлено: 15 июня 2026 г. 11:00\nКому: Ada\nТема: A\n\nКогда?',
  ],
  [
    'Outlook in Chinese',
    '发件人: Bob <bob@agents.example>\n发送时间: 2026年6月15日 11:00\n收件人: Ada\n主题: A\n\n什么时候？',
  ],
  [
    'Outlook for iOS',
    'Get Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: Bob <b@x.example>\nSent: Monday, June 15, 2026 11:00\nTo: Ada\nSubject: A',
  ],
  ['old Outlook', '-----Original Message-----\nFrom: Bob\nSent: Monday\n\nWhen?'],
  ['old Outlook in German', '-----Ursprüngliche Nachricht-----\nVon: Bob\n\nWann?'],
  ['QQ', '------------------ 原始邮件 ------------------\n发件人: "Bob"<bob@agents.example>;\n\n什么时候？'],
  ['Yahoo', 'On Monday, June 15, 2026 at 11:00:00 AM GMT+2, Bob <bob@agents.example> wrote:\n\n When?\n Bob'],
  [
    'Proton',
    'Sent with Proton Mail secure email.\n\nOn Monday, June 15th, 2026 at 11:00, Bob <bob@agents.example> wrote:\n\n> When?',
  ],
  ['a signature', '-- \nAda Lovelace\nAnalyst'],
  ['a signature whose blank a program took', '--\nAda Lovelace'],
  ['a telephone', 'Gesendet von meinem iPhone'],
  ['blank quotation marks', '>\n> \n>>\n'],
  ['marks of another kind', '| When?\n| Bob'],
];

/** What looks a little like a quotation and is none. */
const KEPT: readonly string[] = [
  'On Monday I wrote:\nthe rope is thin',
  'From: here it takes two days.\nWe bring it.',
  'Prices:\n- 5 > 4\n- a -> b',
  'He wrote: no.',
  'On 3 June we met, and what you wrote: fine',
  'Sent from you to me was the wrong rope',
  'one -- two -- three',
  'ein Satz: und noch einer',
  '1. first\n2. second',
  'مرحبا\n\nשלום',
];

describe('what a program put under an answer is not the answer', () => {
  for (const [program, below] of BELOW) {
    test(program, () => {
      expect(ownText(`${SAID}\n\n${below}\n`)).toBe(SAID);
      expect(ownText(`${SAID}\n\n${below}\n`.replaceAll('\n', '\r\n'))).toBe(SAID);
      // Alone it may hold the answer, but nothing of what leads to a quotation.
      expect(ownText(below.replace(/^\n/, ''))).not.toMatch(/@|^>/m);
    });
  }
});

describe('what a person wrote stays', () => {
  for (const text of KEPT) {
    test(JSON.stringify(text), () => {
      expect(ownText(`${text}\n`)).toBe(text);
    });
  }

  test('between quotations, each in its place', () => {
    const mail = 'On 15 Jun 2026 at 11:00, Bob <b@x.example> wrote:\n> When?\n\nAt ten.\n\n> Where?\n\nHere.\n';
    expect(ownText(mail)).toBe('At ten.\n\n\nHere.');
  });

  test('and is text that can be kept: no lone surrogates, no NUL, no carriage returns', () => {
    expect(ownText('a\0b\uD800c\r\nd\re')).toBe('ab\uFFFDc\nd\ne');
  });
});

test.each([
  ...[' ', '\n', '\r', 'On ', 'On a\n', '____\n', 'From: a\n', 'Sent from x\n', '> a\nOn ', '2026 :\n', '2026-01-01 '],
  ...[`${'<'.repeat(300)}\n`, `${'From: x '.repeat(10)}\n`, '>', '> ', '-- \n', '\0', '\ud800'],
])('a text of %j takes steps in proportion to its length', async (unit) => {
  const read = await loadCounted<typeof import('../../src/outbound/reading/reply-text.ts')>(
    './src/outbound/reading/reply-text.ts',
  );
  expectLinear((text) => read.ownText(`a${text}b`, 'agents.example'), unit, 8_192);
});
