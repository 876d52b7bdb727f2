// What sites tell search engines: the groups and rules of robots.txt as RFC 9309 has them, and the directives of a page.
import { describe, expect, test } from 'bun:test';
import { headerForbidsIndex, metaForbidsIndex, robotsAllow } from '../../src/outbound/page/robots.ts';
import { expectLinear, loadCounted } from '../support/steps.ts';

describe('robots.txt', () => {
  const cases: readonly (readonly [name: string, text: string, path: string, allowed: boolean])[] = [
    ['an empty file allows everything', '', '/', true],
    ['a page of HTML in its place allows everything', '<!doctype html><title>404</title>', '/', true],
    ['everything is disallowed', 'User-agent: *\nDisallow: /', '/', false],
    ['an empty rule says nothing', 'User-agent: *\nDisallow:', '/', true],
    ['another path is disallowed', 'User-agent: *\nDisallow: /admin', '/', true],
    ['a path under a rule', 'User-agent: *\nDisallow: /admin', '/admin/x', false],
    [
      'field names and agents in any case, with comments',
      'USER-AGENT: GoogleBot # me\r\nDISALLOW: / # all',
      '/',
      false,
    ],
    ['another bot is disallowed', 'User-agent: badbot\nDisallow: /', '/', true],
    [
      'the own group goes before that for all',
      'User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /',
      '/',
      true,
    ],
    ['an own group without rules allows', 'User-agent: *\nDisallow: /\nUser-agent: Googlebot\nDisallow:', '/', true],
    [
      'agents in a row share their rules',
      'User-agent: a\nUser-agent: googlebot\nUser-agent: b\nDisallow: /',
      '/',
      false,
    ],
    [
      'groups of one name are one',
      'User-agent: *\nDisallow: /a\nUser-agent: x\nDisallow: /\nUser-agent: *\nDisallow: /b',
      '/b',
      false,
    ],
    ['the longest rule wins', 'User-agent: *\nDisallow: /\nAllow: /shop', '/shop/1', true],
    ['allow wins among equals', 'User-agent: *\nDisallow: /a\nAllow: /a', '/a', true],
    ['a final dollar is the end', 'User-agent: *\nDisallow: /$', '/', false],
    ['a final dollar is no more than the end', 'User-agent: *\nDisallow: /$', '/a', true],
    ['a star is anything', 'User-agent: *\nDisallow: /*.pdf$', '/a/b.pdf', false],
    ['a star before more', 'User-agent: *\nDisallow: /*/private', '/a/private/x', false],
    ['a star cannot overlap what it follows', 'User-agent: *\nDisallow: /ab*ba$', '/aba', true],
    [
      'other lines say nothing',
      'Sitemap: https://a.example/s.xml\nCrawl-delay: 5\nUser-agent: *\nNoindex: /',
      '/',
      true,
    ],
    ['a rule before any agent says nothing', 'Disallow: /\nUser-agent: *\nAllow: /', '/', true],
  ];
  for (const [name, text, path, allowed] of cases) {
    test(name, () => expect(robotsAllow(text, path)).toBe(allowed));
  }

  test.each([
    'User-agent: x\n',
    'User-agent: *\n',
    'User-agent: *\nDisallow: /\n',
    ' ',
    ':\n',
    '\r',
    '#',
    'Disallow: /a*',
  ])('a file of %j takes steps in proportion to its length', async (unit) => {
    const read = await loadCounted<typeof import('../../src/outbound/page/robots.ts')>('./src/outbound/page/robots.ts');
    const path = `/${'a'.repeat(1_000)}`;
    expectLinear((text) => read.robotsAllow(text, path), unit);
  });

  test('a rule of many stars takes steps in proportion to its length', async () => {
    const read = await loadCounted<typeof import('../../src/outbound/page/robots.ts')>('./src/outbound/page/robots.ts');
    for (const end of ['', '$', 'b$']) {
      expectLinear(
        (stars) => read.robotsAllow(`User-agent: *\nDisallow: /${stars}${end}`, `/${'a'.repeat(1_000)}`),
        '*a',
      );
    }
  });
});

describe('directives', () => {
  test('of a header: noindex and none, for everybody or for the bot', () => {
    for (const header of [
      'noindex',
      'NONE',
      'nofollow, noindex',
      'googlebot: noindex',
      'otherbot: nofollow, googlebot: none',
    ]) {
      expect([header, headerForbidsIndex(header)]).toEqual([header, true]);
    }
    for (const header of ['', 'all', 'nofollow', 'otherbot: noindex', 'unavailable_after: 25 Jun 2030', 'noindexing']) {
      expect([header, headerForbidsIndex(header)]).toEqual([header, false]);
    }
    expect(headerForbidsIndex('max-snippet: 20, noindex')).toBe(true);
  });

  test('of a meta element: only where its name is that of robots', () => {
    expect(metaForbidsIndex('Robots', 'NOINDEX,follow')).toBe(true);
    expect(metaForbidsIndex('googlebot', 'none')).toBe(true);
    expect(metaForbidsIndex('description', 'noindex')).toBe(false);
    expect(metaForbidsIndex('robots', 'index, follow')).toBe(false);
  });
});
