// Guarantees of addresses as counting keys: one client, one spelling, one network.
import { describe, expect, test } from 'bun:test';
import { clientOf, networkOf } from '../../../src/domain/identity/rate.ts';
import { naughtyStrings } from '../../support/corpus.ts';

describe('an address has one client and one network', () => {
  test.each([
    ['192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    ['::FFFF:c000:024d', '192.0.2.77', '192.0.2.0/24'],
    ['0:0:0:0:0:ffff:192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    [' 127.0.0.1 ', '127.0.0.1', '127.0.0.0/24'],
    ['2001:db8:1:2::5', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:0DB8:0001:0002:0000:0000:0000:0005', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['[2001:db8::1]', '2001:db8:0:0::/64', '2001:db8:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
    ['::', '0:0:0:0::/64', '0:0:0::/48'],
    ['::1', '0:0:0:0::/64', '0:0:0::/48'],
    ['1::', '1:0:0:0::/64', '1:0:0::/48'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64', '64:ff9b:0::/48'],
  ])('%p is of %p in %p', (ip, client, network) => {
    expect([clientOf(ip), networkOf(ip)]).toEqual([client, network]);
  });
});

describe('what is no address shares one allowance instead of escaping all', () => {
  test.each([
    ...['', '256.1.1.1', '1.2.3', '1.2.3.4.5', '01.2.3.4', '1.2.3.4:80', '1::2::3', ':::', ':1', '1:2:3:4:5:6:7'],
    ...['1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7::8', '12345::', 'g::', '1.2.3.4::', '::1.2.3', 'localhost'],
  ])('%p', (ip) => expect([clientOf(ip), networkOf(ip)]).toEqual(['unknown', 'unknown']));

  test('no hostile string throws or grows', () => {
    for (const text of naughtyStrings()) expect(clientOf(text).length + networkOf(text).length).toBeLessThan(70);
  });
});
