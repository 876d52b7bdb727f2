// Pages of strangers: what is read from good ones, and that bad ones cost time in proportion to their length and never the
// event loop's.
import { describe, expect, test } from 'bun:test';
import { isPage, type PageLink, pageText, readPage } from '../../src/outbound/page/read.ts';

interface Read {
  readonly title: string | null;
  readonly links: readonly PageLink[];
  readonly metas: readonly string[];
}

async function read(html: string): Promise<Read> {
  const links: PageLink[] = [];
  const metas: string[] = [];
  const { title } = await readPage(html, {
    link: (link) => links.push(link),
    meta: (name, content) => metas.push(`${name}=${content}`),
  });
  return { title, links, metas };
}

describe('a page', () => {
  test('tells its title, links and meta elements', async () => {
    const html = `<!doctype html><html><head><META NAME=robots CONTENT="noindex"><title> A &amp; B
      &lt;shop&gt; </title></head><body><a href="/a?x=1&amp;y=2" rel='nofollow ugc'>a</a><A HREF=b>b</A><area href=c><a>no</a>`;
    expect(await read(html)).toEqual({
      title: 'A & B <shop>',
      metas: ['robots=noindex'],
      links: [
        { href: '/a?x=1&y=2', rel: 'nofollow ugc' },
        { href: 'b', rel: '' },
        { href: 'c', rel: '' },
      ],
    });
  });

  test('has the first title that is its own', async () => {
    expect((await read('<svg><title>icon</title></svg><title>page</title><title>late</title>')).title).toBe('page');
    expect((await read('<template><title>no</title></template><title>yes</title>')).title).toBe('yes');
    expect((await read('<title></title><title>second</title>')).title).toBeNull();
    expect((await read('<title>cut off')).title).toBe('cut off');
    expect((await read('<title><b>not</b> markup</title>')).title).toBe('<b>not</b> markup');
    expect((await read('no title')).title).toBeNull();
  });

  test('a title is cut to 200 characters, never through one', async () => {
    const { title } = await read(`<title>${'😀'.repeat(3_000)}</title>`);
    expect(title).toBe(`${'😀'.repeat(199)}…`);
  });

  test('links in comments, scripts, texts and templates are none', async () => {
    const hidden = '<a href=x>';
    const html = [
      `<!-- ${hidden} -->`,
      `<script>"${hidden}"</script>`,
      `<script><!-- <script>${hidden}</script> --></script>`,
      `<style>${hidden}</style><textarea>${hidden}</textarea><title>${hidden}</title>`,
      `<iframe>${hidden}</iframe><noframes>${hidden}</noframes><xmp>${hidden}</xmp>`,
      `<template>${hidden}<template></template>${hidden}</template>`,
      `<p title="${hidden}">`,
      '<a href=real>real</a>',
      `<plaintext>${hidden}`,
    ].join('\n');
    expect((await read(html)).links.map(({ href }) => href)).toEqual(['real']);
  });

  test('is the same in whatever slices it is read', async () => {
    for (const pad of [0, 1, 4_090, 4_093, 4_095, 4_096, 8_191]) {
      const html = `${'x'.repeat(pad)}<title>A&amp;B&notit;</title><a href="q&quot;&#x41;">`;
      expect(await read(html)).toMatchObject({ title: 'A&B¬it;', links: [{ href: 'q"A' }] });
    }
  });
});

describe('the text of a page', () => {
  const bytes = (...codes: number[]): Uint8Array => Uint8Array.from(codes);
  const ascii = (text: string, ...more: number[]): Uint8Array => bytes(...Buffer.from(text, 'latin1'), ...more);

  test('is decoded by its mark, else by its header, else by its meta element, else as UTF-8', () => {
    expect(pageText(bytes(0xef, 0xbb, 0xbf, 0xc3, 0xa9), 'text/html; charset=latin1')).toBe('é');
    expect(pageText(bytes(0xfe, 0xff, 0x00, 0x41), '')).toBe('A');
    expect(pageText(bytes(0xe9), 'text/html; Charset="ISO-8859-1"')).toBe('é');
    expect(pageText(bytes(0x82, 0xa0), 'text/html;charset=shift_jis')).toBe('あ');
    expect(pageText(ascii('<meta charset=windows-1251>', 0xcf), 'text/html')).toBe('<meta charset=windows-1251>П');
    const older = '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">';
    expect(pageText(ascii(older, 0xf0), '')).toBe(`${older}П`);
    expect(pageText(bytes(0xc3, 0xa9), 'text/html')).toBe('é');
    expect(pageText(bytes(0xc3, 0xa9), 'text/html; charset=made-up')).toBe('é');
    expect(pageText(bytes(0x41, 0xff), '')).toBe('A\ufffd');
    expect(pageText(ascii('<meta charset=utf-16>A'), '')).toBe('<meta charset=utf-16>A');
  });

  test('is asked for by its type; one that is not told counts', () => {
    for (const type of ['', 'text/html', 'TEXT/HTML;charset=x', ' application/xhtml+xml'])
      expect(isPage(type)).toBe(true);
    for (const type of ['text/plain', 'application/json', 'image/png', 'text/htmlx']) expect(isPage(type)).toBe(false);
  });
});

describe('a hostile page', () => {
  const BYTES = 2 * 1024 ** 2;
  const fill = (text: string): string => text.repeat(Math.ceil(BYTES / text.length)).slice(0, BYTES);
  const many = Array.from({ length: 200_000 }, (_, at) => ` a${at.toString(36)}=x`).join('');
  const PAGES: Readonly<Record<string, string>> = {
    'tags in tags': fill('<a'),
    'angle brackets': fill('<'),
    ampersands: fill('&'),
    'entities that are none': fill('&notanentity'),
    'nested tables': fill('<table><tr><td>'),
    'nested formatting': fill('<a><b><i><p>'),
    'an attribute without an end': `<a href="${fill('x')}`,
    'a link without an end': `<a href="//${fill('a.')}">`,
    'two hundred thousand attributes': `<a${many}>`,
    'an attribute again and again': `<a ${fill('b ')}>`,
    'a comment without an end': `<!--${fill('-')}`,
    'a doctype without an end': `<!DOCTYPE html PUBLIC "${fill('x')}`,
    'scripts in scripts': fill('<script><!--<script>'),
    'a script that almost ends': `<script>${fill('</scrip')}`,
    'a title without an end': `<title>${fill('x &amp; ')}`,
    'a hundred thousand links': fill('<a href=//b.example>x'),
    'NUL characters': fill('\0'),
    'broken end tags': fill('</a b=c>'),
  };

  // The machine may be busy, so work is measured, not time: what the process used, and how often others had their turn.
  for (const [name, html] of Object.entries(PAGES)) {
    test(`${name}: 2 MB cost at most a few seconds of work, in turns`, async () => {
      let turns = 0;
      let over = false;
      const tick = (): void => {
        turns += 1;
        if (!over) setImmediate(tick);
      };
      setImmediate(tick);
      const before = process.cpuUsage();
      await read(html);
      over = true;
      const { user, system } = process.cpuUsage(before);
      const used_ms = (user + system) / 1_000;
      expect(used_ms).toBeLessThan(8_000);
      expect(used_ms / Math.max(1, turns)).toBeLessThan(30);
    }, 600_000);
  }

  test('two pages take turns one page at a time, and a visitor that throws stops only its own', async () => {
    const failing = readPage('<a href=x>', {
      link: () => {
        throw new Error('the visitor failed');
      },
    });
    const next = read('<title>next</title>');
    expect(failing).rejects.toThrow('the visitor failed');
    expect((await next).title).toBe('next');
  });
});
