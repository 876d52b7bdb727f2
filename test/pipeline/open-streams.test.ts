// How many streams may be open: so many as the account's plan allows, and as a node carries. A place is taken when a stream is asked
// for and free again when it has ended.
import { expect, test } from 'bun:test';
import type { StreamSink } from '../../src/contract/operation.ts';
import { type Fault, isFault } from '../../src/domain/fault.ts';
import { OpenStreams } from '../../src/pipeline/open-streams.ts';
import { NOBODY } from '../../src/pipeline/principals.ts';
import { virtualClock } from '../support/virtual-clock.ts';

/** An account that stands is all that is read of who shows no credential. */
const readAccount = async (): Promise<never> => ({ suspended_at: null, deleted_at: null }) as never;
const STORE = { onCommit: () => {}, read: Object.assign(readAccount, { peek: readAccount }) };

/** A node's streams, and what asks for one as an account. */
function node() {
  const streams = new OpenStreams({ clock: virtualClock(0), store: STORE });
  const ended: (() => void)[] = [];
  const sink: StreamSink = {
    write: () => true,
    waitForDrain: async () => {},
    close: () => {},
    onClose: (listener) => ended.push(listener),
  };
  const open = (account_id: string, plan: 'free' | 'pro'): Promise<Fault | ((sink: StreamSink) => void)> => {
    const principal = { ...NOBODY, account_id, plan };
    return streams.open({ principal, agent: null, token_ends_at: Number.POSITIVE_INFINITY }, async () => () => {});
  };
  const opened = async (account_id: string, plan: 'free' | 'pro', times: number): Promise<number> => {
    let count = 0;
    for (let n = 0; n < times; n++) if (!isFault(await open(account_id, plan))) count += 1;
    return count;
  };
  return { open, opened, sink, ended };
}

test.each([
  ['free', 100],
  ['pro', 1_000],
] as const)('an account on %s has %d open, and another its own', async (plan, most) => {
  const { open, opened } = node();
  expect(await opened('ada', plan, most + 5)).toBe(most);
  const refused = await open('ada', plan);
  expect(refused).toMatchObject({ fault: 'stream_unavailable', message: expect.stringContaining(`${most} streams`) });
  expect(isFault(await open('bob', plan))).toBe(false);
});

test('a place is free again when its stream has ended', async () => {
  const { open, opened, sink, ended } = node();
  await opened('ada', 'free', 99);
  const start = await open('ada', 'free');
  if (isFault(start)) throw new Error(start.fault);
  start(sink);
  expect(isFault(await open('ada', 'free'))).toBe(true);
  for (const end of ended) end();
  expect(await opened('ada', 'free', 2)).toBe(1);
});

test('a node carries 20,000', async () => {
  const { open, opened } = node();
  let count = 0;
  for (let account = 0; account < 20; account++) count += await opened(`account-${account}`, 'pro', 1_000);
  expect(count).toBe(20_000);
  expect(await open('one-more', 'free')).toMatchObject({ fault: 'stream_unavailable' });
});
