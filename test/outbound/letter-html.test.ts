// Guards letters as HTML: what others wrote stays text, a button leads to the service alone, the text part says the same, and both
// arrive over SMTP as they were made.
import { describe, expect, test } from 'bun:test';
import PostalMime from 'postal-mime';
import { INSTANCE } from '../../src/domain/instance.ts';
import { lookOf } from '../../src/domain/look.ts';
import { codeLetter, endpointSetLetter, eventsLetter, threadLetter } from '../../src/outbound/mailer/letters.ts';
import { composeMail } from '../../src/outbound/mailer/mail.ts';
import { letterWords } from '../../src/outbound/mailer/words/words.ts';
import { named } from '../../src/steps/letter.ts';
import { naughtyStrings } from '../support/corpus.ts';
import { FROM, letter } from './message.ts';

const URL = 'https://app.example/conversations/1';
const HOSTILE = [
  ...naughtyStrings(),
  '</div></body><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '<style>*{display:none}</style>',
  '&lt;b&gt;',
  '\u202eevil',
  'a\0b',
];

/** What a program that shows HTML makes of a letter. */
async function seen(html: string): Promise<{ tags: string[]; links: string[]; text: string }> {
  const [tags, links, texts]: string[][] = [[], [], []];
  const rewriter = new HTMLRewriter().on('*', {
    element(element) {
      tags?.push(`${element.tagName} ${[...element.attributes].map(([name]) => name).join(' ')}`);
      if (element.tagName === 'a') links?.push(element.getAttribute('href') ?? '');
    },
    text: (chunk) => void texts?.push(chunk.text),
  });
  await rewriter.transform(new Response(html)).text();
  return { tags: tags ?? [], links: links ?? [], text: (texts ?? []).join('') };
}

describe('a letter as HTML', () => {
  test('has the same elements and links whatever others wrote', async () => {
    const of = (said: string) =>
      threadLetter('@ada', 'A talk', [{ title: 'New message', body: said, url: URL }], URL, letterWords()).html;
    const plain = await seen(of('hello'));
    for (const said of HOSTILE.filter((text) => text.trim() !== '')) {
      const { tags, links } = await seen(of(said).replaceAll('<br>', ''));
      expect({ said, tags, links }).toEqual({ said, tags: plain.tags, links: plain.links });
    }
    expect(plain.links).toEqual([URL]);
    expect(HOSTILE.length).toBeGreaterThan(300);
  });

  test('loads nothing and runs nothing', () => {
    const { html } = eventsLetter('@ada', [{ title: 'A', body: '<b>', url: URL }], URL, letterWords());
    expect(html).not.toMatch(/<(?:img|script|iframe|form|link)\b|url\(|@import|\son\w+=/i);
    expect(html).toContain('&lt;b&gt;');
  });

  test('shows an address of a caller as text', async () => {
    const address = 'javascript:alert(1)';
    const { links } = await seen(endpointSetLetter('ada', address, URL, letterWords()).html);
    expect(links).toEqual([URL]);
    const item = eventsLetter('@ada', [{ title: 'A', body: '', url: address }], URL, letterWords());
    expect((await seen(item.html)).links).toEqual([URL]);
  });

  test('has its button in a shade of the colour of the service that can be read, in light and in dark', () => {
    const color = '#ffd400';
    const { light, dark } = lookOf(color);
    const sent = named(
      { ...letter(), ...threadLetter('@ada', 'A talk', [], URL, letterWords()) },
      { instance: { ...INSTANCE, color } },
    );
    expect(sent.html).toContain(`background-color:${light.accent};`);
    expect(sent.html).toContain(`.button,.press,.mark{background-color:${dark.accent}!important`);
    expect(sent.html).not.toContain(INSTANCE.color);
  });

  test('arrives beside its text, with the code alone on its line there, the same bytes each time', async () => {
    const settings = { instance: { ...INSTANCE, name: 'Fish & Co', color: '#d97706' } };
    const mail = named({ ...letter(), ...codeLetter('signup', '042137', 10, letterWords()) }, settings);
    const bytes = await composeMail(mail, FROM);
    const raw = Buffer.from(bytes ?? []).toString();
    expect(raw.split('\r\n').filter((line) => /^\d{6}/.test(line))).toEqual(['042137']);
    expect(await composeMail(mail, FROM)).toEqual(bytes);
    const { html = '', text = '', subject } = await PostalMime.parse(raw);
    expect(subject).toBe('Your sign-up code for Fish & Co');
    expect(html).toContain('Fish &amp; Co');
    expect(html).toContain('>042137<');
    expect(html).not.toMatch(/[\ue000-\uf8ff]/);
    expect(text.split('\n')).toContain('042137');
    const shown = (await seen(html)).text;
    for (const line of text.split('\n').filter(Boolean)) expect(shown).toContain(line.replaceAll('&', '&amp;'));
  });
});
