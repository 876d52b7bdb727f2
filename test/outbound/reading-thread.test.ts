// The thread that reads mails: what takes too long is given up, what waits has a bound, and neither holds up what comes after.
import { afterAll, describe, expect, test } from 'bun:test';
import type { Dns } from '../../src/outbound/dns.ts';
import { ReadingThread } from '../../src/outbound/reading/reading-thread.ts';

const silent: Dns = {
  txt: async () => ({ none: true }),
  addresses: async () => ({ none: true }),
  mx: async () => ({ none: true }),
};
const raw = 'From: Ada <ada@example.org>\r\nTo: b@example.org\r\nSubject: x\r\n\r\nTomorrow is fine.\r\n';
const path = { client_ip: '192.0.2.1', client_name: 'mx.example.org', envelope_from: 'ada@example.org' };
const threads: ReadingThread[] = [];
const open = (...given: ConstructorParameters<typeof ReadingThread>): ReadingThread => {
  const thread = new ReadingThread(...given);
  threads.push(thread);
  return thread;
};
afterAll(() => {
  for (const thread of threads) thread.stop();
});

describe('the reading thread', () => {
  test('parses a mail, and authenticates it with the resolver of the service', async () => {
    const asked: string[] = [];
    const dns: Dns = {
      ...silent,
      txt: async (name) => {
        asked.push(name);
        return name === 'example.org' ? { found: ['v=spf1 ip4:192.0.2.1 -all'] } : { none: true };
      },
    };
    const thread = open(dns);
    expect(await thread.run({ job: 'mail', raw, mail_domain: 'agents.localhost' })).toMatchObject({
      from: 'ada@example.org',
      text: 'Tomorrow is fine.',
    });
    const told = await thread.run({ job: 'authentication', raw, path, mta: 'agents.localhost' });
    expect(told).toMatchObject({ results: { spf: 'pass' }, aligned: 'yes' });
    expect(asked).toContain('_dmarc.example.org');
    expect(thread.jobs).toBe(2);
  });

  test('gives up what misses its deadline, and goes on with the next', async () => {
    const thread = open(silent, 0);
    const both = [
      thread.run({ job: 'mail', raw, mail_domain: 'agents.localhost' }),
      thread.run({ job: 'mail', raw, mail_domain: 'agents.localhost' }),
    ];
    expect(await Promise.all(both)).toEqual([{ unread: 'late' }, { unread: 'late' }]);
  });

  test('takes a mail over which it died for one to try again, and for unreadable at the second time', async () => {
    const made: Worker[] = [];
    const Real = globalThis.Worker;
    globalThis.Worker = class extends Real {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given);
        made.push(this);
      }
    };
    // The thread ends from outside while it waits for the DNS, as it may end by itself: without an error.
    const dying: Dns = {
      ...silent,
      txt: () => {
        made.at(-1)?.terminate();
        return new Promise(() => {});
      },
    };
    const thread = open(dying);
    const job = { job: 'authentication', raw, path, mta: 'agents.localhost' } as const;
    const other = { ...job, raw: `${raw}Yours\r\n` };
    expect(await thread.run(job)).toEqual({ unread: 'busy' });
    expect(await thread.run(other)).toEqual({ unread: 'busy' });
    expect(await thread.run(job)).toEqual({ unread: 'deadly' });
    expect(await thread.run({ job: 'mail', raw, mail_domain: 'agents.localhost' })).toMatchObject({
      from: 'ada@example.org',
    });
    globalThis.Worker = Real;
  });

  test('lets so many wait and no more, and tells those who wait when it stops', async () => {
    const thread = open(silent);
    const waiting = Array.from({ length: 33 }, () => thread.run({ job: 'mail', raw, mail_domain: 'agents.localhost' }));
    expect(await thread.run({ job: 'mail', raw, mail_domain: 'agents.localhost' })).toEqual({ unread: 'busy' });
    thread.stop();
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => ({ unread: 'busy' })));
    expect(await thread.run({ job: 'mail', raw, mail_domain: 'agents.localhost' })).toMatchObject({
      from: 'ada@example.org',
    });
  });
});
