// When descriptors run short, that is told once a minute and counted, and connections that wait for nothing are closed.
import { expect, test } from 'bun:test';
import { createLog } from '../../src/log.ts';
import { DescriptorWatch } from '../../src/transports/listen.ts';
import { startTestServer } from '../support/server.ts';

function watchWith(limit: number): { watch: DescriptorWatch; lines: string[]; closed: () => number } {
  const lines: string[] = [];
  let closed = 0;
  const log = createLog('info', 'json', { write: (line) => void lines.push(line) });
  return { watch: new DescriptorWatch(log, () => (closed += 1), limit), lines, closed: () => closed };
}

test('a process that has taken nearly all of its descriptors says so, and lets idle connections go', () => {
  const { watch, lines, closed } = watchWith(3);
  watch.look();
  watch.look();
  expect([watch.short, closed(), lines.length]).toEqual([2, 2, 1]);
  expect(lines[0]).toContain('LimitNOFILE');
});

test('one that has enough says nothing', () => {
  const { watch, lines, closed } = watchWith(1_000_000);
  watch.look();
  expect([watch.short, closed(), lines.length]).toEqual([0, 0, 0]);
});

test('a connection on which nobody asks is closed before one that is answered', async () => {
  const server = await startTestServer();
  const ended: string[] = [];
  const connect = (name: string, said: string) =>
    Bun.connect({
      hostname: '127.0.0.1',
      port: server.port,
      socket: { open: (socket) => void socket.write(said), data: () => {}, close: () => void ended.push(name) },
    });
  const kept = await connect('kept', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const silent = await connect('silent', '');
  while (ended.length === 0) await Bun.sleep(100);
  expect(ended).toEqual(['silent']);
  silent.end();
  kept.end();
  await server.stop();
}, 60_000);
