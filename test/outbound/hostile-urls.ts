// Addresses that must never be dialled, generated from what is known to get past naive checks: every special IPv4 network
// in every spelling that some parser takes, wrapped into IPv6, behind names, with odd ports, schemes and syntax.

export interface HostileUrl {
  readonly url: string;
  readonly family: string;
}

/** A name that the DNS of the test serves, with the addresses of each question in turn. */
export interface HostileName {
  readonly name: string;
  readonly turns: readonly { readonly a?: readonly string[]; readonly aaaa?: readonly string[] }[];
}

const SPECIAL_V4 = [
  '127.0.0.1',
  '127.1.2.3',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
];

/** Globally reachable by the registries and given to nobody, so that a test that dials it reaches nobody. */
export const PUBLIC_V6 = '2fff:ffff::1';

const bytesOf = (ip: string): number[] => ip.split('.').map(Number);
const numberOf = (bytes: readonly number[]): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);
const hex = (value: number, width = 0): string => value.toString(16).padStart(width, '0');
const octal = (value: number): string => `0${value.toString(8)}`;
const letters = (text: string, zero: number): string =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

/** Spellings of one IPv4 address as a host. */
function spellings(ip: string): Record<string, string> {
  const bytes = bytesOf(ip);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = numberOf(bytes);
  return {
    dotted: ip,
    decimal: String(whole),
    'hex whole': `0x${hex(whole)}`,
    'hex capital': `0X${hex(whole, 8).toUpperCase()}`,
    'octal whole': octal(whole),
    'hex dotted': bytes.map((byte) => `0x${hex(byte)}`).join('.'),
    'octal dotted': bytes.map(octal).join('.'),
    'octal padded': bytes.map((byte) => `0000${byte.toString(8)}`).join('.'),
    mixed: `0x${hex(a)}.${octal(b)}.${c}.0x${hex(d, 4)}`,
    'two parts': `${a}.${numberOf([b, c, d])}`,
    'three parts': `${a}.${b}.${numberOf([c, d])}`,
    'trailing dot': `${ip}.`,
    fullwidth: letters(ip, 0xff10),
    'fullwidth dots': ip.replaceAll('.', '\uff0e'),
    'ideographic dots': ip.replaceAll('.', '\u3002'),
    'halfwidth dots': ip.replaceAll('.', '\uff61'),
    mathematical: letters(ip, 0x1d7ce),
    'percent encoded': [...ip].map((sign) => `%${hex(sign.charCodeAt(0))}`).join(''),
    'zero width': ip.replace('.', '.\u200b'),
    'soft hyphen': ip.replace('.', '\u00ad.'),
    credentials: `user:password@${ip}`,
    'name as user': `hooks.example.com@${ip}`,
    ...wrapped(bytes),
  };
}

/** IPv6 addresses that lead to an IPv4 one. */
function wrapped(bytes: readonly number[]): Record<string, string> {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const high = hex(a * 256 + b);
  const low = hex(c * 256 + d);
  const inverse = `${hex(0xffff - (a * 256 + b))}:${hex(0xffff - (c * 256 + d))}`;
  return {
    mapped: `[::ffff:${bytes.join('.')}]`,
    'mapped hex': `[::ffff:${high}:${low}]`,
    'mapped long': `[0000:0000:0000:0000:0000:ffff:${high}:${low}]`,
    translated: `[::ffff:0:${high}:${low}]`,
    compatible: `[::${high}:${low}]`,
    NAT64: `[64:ff9b::${bytes.join('.')}]`,
    'local NAT64': `[64:ff9b:1::${high}:${low}]`,
    '6to4': `[2002:${high}:${low}::1]`,
    Teredo: `[2001:0:4136:e378:8000:63bf:${inverse}]`,
    ISATAP: `[fe80::200:5efe:${high}:${low}]`,
  };
}

const INNER_V6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  'fc00::1',
  'fd00:ec2::254',
  'fd12:3456:789a:1::1',
  'fe80::1',
  'fe80::1%25eth0',
  'fe80::1%eth0',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff05::2',
  '100::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  '2606:4700:4700::1111',
];

const LOCAL_NAMES = [
  ...'localhost LOCALHOST LocalHost localhost. localhost.. foo.localhost a.b.localhost. localhost.localdomain'.split(
    ' ',
  ),
  ...'ip6-localhost ip6-loopback loopback broadcasthost router printer.local db.internal wiki.intranet nas.lan'.split(
    ' ',
  ),
  ...'host.docker.internal gateway.docker.internal kubernetes.default.svc.cluster.local'.split(' '),
  ...'vault.corp nas.home box.home.arpa 1.0.0.127.in-addr.arpa ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ loc\u00adalhost local%68ost'.split(
    ' ',
  ),
];

const METADATA_NAMES = [
  ...'metadata metadata.google.internal METADATA.GOOGLE.INTERNAL metadata.google.internal. instance-data'.split(' '),
  ...'instance-data.ec2.internal metadata.azure.internal metadata.oraclecloud.internal'.split(' '),
];

const BAD_PORTS = [
  0, 1, 7, 21, 22, 23, 25, 53, 80, 110, 143, 389, 445, 587, 993, 1433, 2375, 2379, 3306, 3389, 5432,
].concat([5900, 5984, 6379, 6443, 8080, 8500, 9000, 9092, 9200, 10250, 11211, 27017, 50070, 65535, 65536, 99999]);

const SCHEMES = [
  'http',
  'HTTP',
  'ws',
  'wss',
  'ftp',
  'gopher',
  'ldap',
  'dict',
  'tftp',
  'sftp',
  'jar',
  's3',
  'unix',
  'h2c',
];

const ODD = [
  '',
  ' ',
  'hooks.example.com',
  '//hooks.example.com/',
  '/events',
  'https:',
  'https://',
  'https:///',
  'https:hooks.example.com',
  'https:/hooks.example.com',
  'https:///hooks.example.com',
  'https:\\\\hooks.example.com',
  'https://hooks.example.com\\@127.0.0.1/',
  'https://hooks.example.com\t/',
  'ht\ntps://hooks.example.com/',
  ' https://hooks.example.com/',
  'https://hooks.example.com/\u0000',
  'https://hooks.example.com/a b',
  'https://@hooks.example.com/',
  'https://:@hooks.example.com/',
  'https://a@b@hooks.example.com/',
  'https://hooks.example.com:443@127.0.0.1/',
  'https://hooks.example.com%00.127.0.0.1/',
  'https://hooks.example.com%2f@127.0.0.1/',
  'https://hooks..example.com/',
  'https://.example.com/',
  'https://hooks.example.com./',
  'https://-.-/',
  'https://*.example.com/',
  'https://[hooks.example.com]/',
  'https://[::1/',
  'https://[127.0.0.1]/',
  'https://1/',
  'https://1.1/',
  'https://1.1.1.1/',
  'https://256.256.256.256/',
  'https://0x/',
  'https://com/',
  `https://${'a'.repeat(64)}.example.com/`,
  `https://${'a.'.repeat(150)}example.com/`,
  `https://hooks.example.com/${'a'.repeat(3_000)}`,
  'file:///etc/passwd',
  'file://127.0.0.1/etc/passwd',
  'data:text/plain,hello',
  'javascript:alert(1)',
  'blob:https://hooks.example.com/1',
  'view-source:https://hooks.example.com/',
  'mailto:hooks@example.com',
];

/** The corpus. Where a port can stand, `port` does: that of a listener that counts. */
export function hostileUrls(port: number): HostileUrl[] {
  const urls: HostileUrl[] = [];
  const add = (family: string, ...more: string[]): void => void urls.push(...more.map((url) => ({ url, family })));
  for (const ip of SPECIAL_V4) {
    for (const [family, host] of Object.entries(spellings(ip))) add(family, `https://${host}:${port}/`);
  }
  for (const ip of INNER_V6) add('IPv6', `https://[${ip}]:${port}/`);
  for (const name of LOCAL_NAMES) add('local name', `https://${name}:${port}/`);
  for (const name of METADATA_NAMES) add('metadata name', `https://${name}:${port}/latest/meta-data/`);
  for (const odd of BAD_PORTS) add('port', `https://hooks.example.com:${odd}/`);
  for (const scheme of SCHEMES)
    add('scheme', `${scheme}://hooks.example.com:${port}/`, `${scheme}://127.0.0.1:${port}/`);
  add('syntax', ...ODD);
  for (const { name } of hostileNames()) add('name', `https://${name}:${port}/`);
  return urls;
}

/** Names that lead inside, at once or later. */
export function hostileNames(): HostileName[] {
  const names: HostileName[] = SPECIAL_V4.flatMap((ip) => {
    const dashed = ip.replaceAll('.', '-');
    const mapped = `::ffff:${ip}`;
    return [
      { name: `${dashed}.nip.example`, turns: [{ a: [ip] }] },
      { name: `mixed-${dashed}.nip.example`, turns: [{ a: ['8.8.8.8', ip] }] },
      { name: `six-${dashed}.nip.example`, turns: [{ a: ['8.8.8.8'], aaaa: [mapped] }] },
      {
        name: `flips-${dashed}.nip.example`,
        turns: [{ aaaa: [PUBLIC_V6] }, { a: [ip], aaaa: [PUBLIC_V6] }, { a: [ip] }],
      },
    ];
  });
  for (const [at, ip] of INNER_V6.filter((each) => !each.includes('%') && !each.startsWith('2606')).entries()) {
    names.push({ name: `v6-${at}.nip.example`, turns: [{ aaaa: [ip] }] });
    names.push({ name: `v6-mixed-${at}.nip.example`, turns: [{ aaaa: [PUBLIC_V6, ip] }] });
  }
  for (const name of [
    'localtest.me',
    'lvh.me',
    'vcap.me',
    'metadata.packet.example',
    'spoofed.burpcollaborator.example',
  ]) {
    names.push({ name, turns: [{ a: ['127.0.0.1'], aaaa: ['::1'] }] });
  }
  return names;
}

/** The zone in which those names stand, for a DNS server. */
export function hostileZone(): Record<string, { flips: HostileName['turns'] }> {
  return Object.fromEntries(hostileNames().map(({ name, turns }) => [name, { flips: turns }]));
}

/** Addresses that people do give. */
export const GOOD_URLS: readonly string[] = [
  'https://example.com',
  'https://example.com/',
  'https://hooks.example.com/events',
  'https://hooks.example.com/events?token=abc&x=%20',
  'https://hooks.example.com/events#part',
  'HTTPS://Hooks.Example.COM/Events',
  'https://hooks.example.com:443/',
  'https://hooks.example.com:8443/events',
  'https://hooks.example.com:4443/',
  'https://a.b.c.d.e.example.co.uk/',
  'https://my_app.example.com/',
  'https://my-app--git-main.example.app/api',
  'https://xn--bcher-kva.example/',
  'https://bücher.example/',
  'https://例え.example/',
  'https://пример.example/webhook',
  'https://example.xn--p1ai/',
  'https://127.0.0.1.example.com/',
  'https://10-0-0-1.example.com/',
  'https://localhost.example.com/',
  'https://internal.example.com/',
  'https://metadata.example.com/',
  'https://0x7f.example.com/',
  'https://3.example.com/',
  'https://1password.com/hook',
  'https://x.io/',
  'https://example.museum/',
  'https://example.technology/a/b/c/d',
  'https://hooks.example.com/a@b:c',
  'https://hooks.example.com/?next=http://127.0.0.1/',
  'https://hooks.example.com//double//slash',
  'https://hooks.example.com/..%2f..%2fetc',
  'https://hooks.example.com/%E2%9C%93',
  'https://hooks.example.com/✓',
  'https://user.github.io/hook',
  `https://${'a'.repeat(63)}.example.com/`,
  `https://hooks.example.com/${'a'.repeat(1_900)}`,
];
