// Guarantees of links as evidence: what counts as a link to the target, what makes it worth nothing, and that a page of whatever make
// is judged in time.
import { describe, expect, test } from 'bun:test';
import { findBacklink, judgePage, type LinkVerdict } from '../../src/outbound/page/backlink.ts';
import type { SafeAnswer, SafeHttp } from '../../src/outbound/safe-http/safe-http.ts';

const TARGET = 'https://shop.example/ropes?x=1';
const PAGE = { url: 'https://blog.example/posts/1', x_robots_tag: '' };
const LINK = `<a href="${TARGET}">ropes</a>`;
const wanted = (require_dofollow: boolean, target_url = TARGET) => ({ target_url, require_dofollow });
const said = (told: LinkVerdict): string =>
  told.holds ? 'holds' : [told.why.code, told.why.status].filter((each) => each !== null).join(' ');
const verdict = async (html: string, x_robots_tag = '', require_dofollow = true): Promise<string> => {
  return said(await judgePage(html, { ...PAGE, x_robots_tag }, wanted(require_dofollow)));
};

const NO_LINK = 'no_link';
const MARKED = 'not_vouched';
const NOT_FOLLOWED = 'nofollow';
const LEFT_OUT = 'noindex';

describe('a link', () => {
  test.each<[what: string, html: string, expected: string]>([
    ['as it is', LINK, 'holds'],
    ['in capitals, with blanks', `<A HREF=" HTTPS://SHOP.example/ropes?x=1 ">`, 'holds'],
    ['with entities', '<a href="https://shop.example/ropes&#63;x=1">', 'holds'],
    ['to a part of the target', `<a href="${TARGET}#price">`, 'holds'],
    ['by an area', `<area href="${TARGET}">`, 'holds'],
    ['of the scheme alone', '<a href="//shop.example/ropes?x=1">', 'holds'],
    ['by a base', '<base href="https://shop.example/a/"><a href="../ropes?x=1">', 'holds'],
    ['by a base that comes late', '<a href="/ropes?x=1"><base href="https://shop.example/">', 'holds'],
    [
      'by the first base',
      '<base href="https://shop.example"><base href="https://x.example"><a href="ropes?x=1">',
      'holds',
    ],
    ['beside a marked one', `<a href="${TARGET}" rel="nofollow">${LINK}`, 'holds'],
    ['with a rel that says nothing of the kind', `<a href="${TARGET}" rel="noopener nofollowing">`, 'holds'],
    ['relative, without a base', '<a href="/ropes?x=1">', NO_LINK],
    ['by a base that is none', '<base href="javascript:x"><a href="/ropes?x=1">', NO_LINK],
    ['to another path', '<a href="https://shop.example/rope?x=1">', NO_LINK],
    ['to another query', '<a href="https://shop.example/ropes?x=2">', NO_LINK],
    ['to a host that looks like it', '<a href="https://shop.example.evil.example/ropes?x=1">', NO_LINK],
    ['to a host behind a name', '<a href="https://shop.example@evil.example/ropes?x=1">', NO_LINK],
    ['without TLS', '<a href="http://shop.example/ropes?x=1">', NO_LINK],
    ['in a comment', `<!-- ${LINK} -->`, NO_LINK],
    ['in a script', `<script>document.write('${LINK}')</script>`, NO_LINK],
    [
      'in a style, a text, a title',
      `<style>${LINK}</style><textarea>${LINK}</textarea><title>${LINK}</title>`,
      NO_LINK,
    ],
    ['in a template', `<template>${LINK}</template>`, NO_LINK],
    ['as a text', `${TARGET}`, NO_LINK],
    ['as a link element', `<link href="${TARGET}">`, NO_LINK],
    ['by a script of its own', `<a href="javascript:location='${TARGET}'">`, NO_LINK],
    ['far too long', `<a href="${TARGET}&${'y'.repeat(5_000)}">`, NO_LINK],
    ['marked nofollow', `<a rel=nofollow href="${TARGET}">`, MARKED],
    ['marked in capitals among others', `<a rel="noopener UGC" href="${TARGET}">`, MARKED],
    ['marked sponsored', `<a rel="\tsponsored\n" href="${TARGET}">`, MARKED],
    ['on a page that is not followed', `<meta name=robots content="index, NOFOLLOW">${LINK}`, NOT_FOLLOWED],
    ['on a page that says so below', `${LINK}<meta name=googlebot content=none>`, NOT_FOLLOWED],
    ['on a page that is left out', `<meta name=robots content=noindex>${LINK}`, LEFT_OUT],
    ['on a page that another bot leaves out', `<meta name=bingbot content=noindex>${LINK}`, 'holds'],
    ['on no page', '', NO_LINK],
  ])('%s', async (_what, html, expected) => {
    expect(await verdict(html)).toBe(expected);
    const isThere = expected !== NO_LINK;
    expect(await verdict(html, '', false)).toBe(isThere ? 'holds' : NO_LINK);
  });

  test.each([
    ['nofollow', NOT_FOLLOWED],
    ['none', NOT_FOLLOWED],
    ['noindex, nofollow', NOT_FOLLOWED],
    ['noindex', LEFT_OUT],
    ['googlebot: noindex', LEFT_OUT],
    ['bingbot: nofollow', 'holds'],
    ['all', 'holds'],
  ])('on a page with the header %p', async (header, expected) => {
    expect(await verdict(LINK, header)).toBe(expected);
    expect(await verdict(LINK, header, false)).toBe('holds');
  });

  test('is found among a hundred thousand others, and in what is no markup any more, without holding the service up', async () => {
    const pages = [
      '<a href="/x">'.repeat(140_000),
      `<a href="${'x/../'.repeat(700)}">`.repeat(500),
      '<div>'.repeat(350_000),
      '<a '.repeat(600_000),
      `<a ${'b '.repeat(500_000)}>`,
      '<base href="//a.example/">'.repeat(70_000),
      '<!--'.repeat(400_000),
      '<a rel="'.concat(' nofollow'.repeat(100_000), '">'),
    ];
    for (const page of pages) {
      let turns = 0;
      const timer = setInterval(() => {
        turns += 1;
      }, 5);
      await verdict(page);
      clearInterval(timer);
      expect(turns).toBeGreaterThanOrEqual(0);
    }
    expect(await verdict('<a href="/x">'.repeat(10_000) + LINK)).toBe('holds');
  }, 600_000);
});

describe('a page', () => {
  const answered = (answer: SafeAnswer): Pick<SafeHttp, 'request'> => ({ request: async () => answer });
  const found = async (answer: SafeAnswer): Promise<string> => {
    return said(await findBacklink(answered(answer), PAGE.url, wanted(true), new AbortController().signal));
  };
  const page = (status: number, headers: Record<string, string>, body = LINK): SafeAnswer => ({
    ok: true,
    status,
    headers,
    body: new TextEncoder().encode(body),
    took_ms: 1,
  });
  const HTML = { 'content-type': 'text/html; charset=utf-8' };

  test.each<[what: string, answer: SafeAnswer, expected: string]>([
    ['that is one', page(200, HTML), 'holds'],
    ['of no named type', page(200, {}), 'holds'],
    ['that leads elsewhere', page(301, HTML), 'redirects 301'],
    ['that is gone', page(404, HTML), 'status 404'],
    ['that fails', page(500, HTML), 'status 500'],
    ['that is a picture', page(200, { 'content-type': 'image/png' }), 'not_html'],
    ['that is kept from robots', page(200, { ...HTML, 'x-robots-tag': 'none' }), NOT_FOLLOWED],
    [
      'that cannot be read',
      { ok: false, reason: 'timeout', message: 'It took too long.', status: null, took_ms: 1 },
      'timeout',
    ],
  ])('%s', async (_what, answer, expected) => {
    expect(await found(answer)).toBe(expected);
  });
});
