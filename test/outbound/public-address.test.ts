// Which addresses are public, at the edges of every special network.
import { expect, test } from 'bun:test';
import { isPublicAddress } from '../../src/outbound/safe-http/safe-http.ts';

const PUBLIC = `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15
168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0
192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0
223.255.255.255 2001:200:: 2001:db7:ffff:: 2001:db9:: 2003:: 2606:4700:4700::1111 2a00:1450::1 3ffe:ffff:: 3fff:1000::`;

const INNER = `0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.0 127.255.255.255
168.63.129.16 169.254.0.0 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.255 192.88.99.1
192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.0 239.255.255.255 240.0.0.0
255.255.255.255 :: ::1 ::ffff:8.8.8.8 ::8.8.8.8 64:ff9b::808:808 64:ff9b:1::1 100::1 1fff::1 2001:: 2001:1ff:: 2001:db8::
2001:db8:ffff:: 2002:808:808::1 3fff:: 3fff:fff:: 4000::1 5f00::1 fc00::1 fdff::1 fe80::1 fec0::1 ff02::1`;

// What a resolver never writes: other parsers would take some of it for an address.
const NONE = [
  '',
  ' ',
  '1',
  '1.1',
  '1.1.1',
  '01.1.1.1',
  '0x1.1.1.1',
  '1.1.1.1.',
  '1.1.1.1.1',
  '1.1.1.256',
  '2a00::1%eth0',
];

test.each(PUBLIC.split(/\s+/))('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));
test.each(INNER.split(/\s+/))('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));
test.each(NONE)('"%s" is no address at all', (text) => expect(isPublicAddress(text)).toBe(false));
