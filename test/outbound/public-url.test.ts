// What the text of a URL tells: how it is taken apart, what is refused in which words, what the operator exempts.
import { expect, test } from 'bun:test';
import { readOutboundUrl } from '../../src/outbound/safe-http/public-url.ts';

test('a public https address is taken apart, its fragment left at home', () => {
  expect(readOutboundUrl('https://Bücher.example/a b'.replace(' ', '%20') + '?q=1#part', [])).toEqual({
    secure: true,
    host: 'xn--bcher-kva.example',
    port: 443,
    path: '/a%20b?q=1',
    allowed: false,
  });
});

test.each([
  ['http://hooks.example.com/', 'Give an https address.'],
  ['https://a:b@hooks.example.com/', 'Leave user name and password out of the address.'],
  ['https://2130706433/', 'Give a host name; an address in numbers is refused.'],
  ['https://[::1]/', 'Give a host name; an address in numbers is refused.'],
  ['https://localhost/', 'Give a public host; this name leads into a private network.'],
  ['https://hooks.example.com./', 'Write the host without a dot at its end.'],
  ['https://hooks.example.com:22/', 'Use port 443, 4443, 8443, 9443, 10443; others are refused.'],
  ['https://１２７.0.0.1/', 'Write the host in plain characters.'],
  ['https://hooks.example.com/ ', 'Give an address without blanks, backslashes and invisible characters.'],
  ['hooks.example.com', 'Give a full address, such as https://example.com/page.'],
])('%s: %s', (url, sentence) => expect(readOutboundUrl(url, [])).toBe(sentence));

test.each([
  ...['kubernetes.default.svc', 'a.b.svc.cluster.local', 'printer.local', 'metadata.google.internal', 'router.lan'],
  ...['nas.home.arpa', '1.0.0.127.in-addr.arpa', 'db.corp', 'a.home', 'a.test', 'a.invalid', 'app.localhost', 'a.alt'],
  ...['web.service.consul', 'a.onion', 'a.intranet', 'a.private', 'a.dhcp', 'host.docker.internal', 'a.ts.mesh'],
])('https://%s leads into a private network, unless the operator exempts it', (host) => {
  expect(readOutboundUrl(`https://${host}/`, [])).toBe('Give a public host; this name leads into a private network.');
  expect(readOutboundUrl(`https://${host}/`, [{ host, port: 443 }])).toMatchObject({ host, allowed: true });
});

test.each(['hooks.example.com', 'a.co.uk', 'me.github.io', 'пример.рф', 'a.dev', 'svc.com', 'local.net', 'a.svc.io'])(
  'https://%s is public',
  (host) => expect(readOutboundUrl(`https://${host}/`, [])).toMatchObject({ allowed: false }),
);

test('the operator exempts a host with its port, and nothing else', () => {
  const allow = [
    { host: 'receiver', port: 8080 },
    { host: '127.0.0.1', port: 9000 },
    { host: '::1', port: 80 },
  ];
  const taken = ['http://receiver:8080/x', 'https://receiver:8080/', 'http://127.0.0.1:9000/', 'http://[0:0::1]/'];
  for (const url of taken) expect([url, readOutboundUrl(url, allow)]).toMatchObject([url, { allowed: true }]);
  const others = [
    'http://receiver:8081/',
    'http://receiver/',
    'https://127.0.0.1/',
    'http://[::1]:81/',
    'ftp://receiver:8080/',
  ];
  for (const url of others) expect(readOutboundUrl(url, allow)).toBeString();
  // Credentials stay refused: they would end up in a log of somebody else.
  expect(readOutboundUrl('http://a:b@receiver:8080/', allow)).toBeString();
});
