// The ceiling of webhook deliveries: a loop over https.request with kept connections, that signs nothing, checks no
// address and keeps no account. It calls so often as it is asked, and tells when the last answer was there.
import https from 'node:https';
import { AUTHORITY } from '../support/authority.ts';
import type { Ask, Told } from './children.ts';
import { monotonicMs } from './monotonic.ts';

const SIDE_BY_SIDE = 64;
/** As long as the envelope of a ping with what the signatures add to its headers. */
const BODY = JSON.stringify({ event: 'test.ping', data: 'x'.repeat(500) });

const agent = new https.Agent({ keepAlive: true, maxSockets: SIDE_BY_SIDE });

function call(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': BODY.length };
    const servername = 'receivers.example';
    const request = https.request(
      { host: '127.0.0.1', port, path: '/', method: 'POST', headers, agent, ca: AUTHORITY, servername },
      (response) => {
        response.on('error', reject);
        response.on('end', resolve);
        response.resume();
      },
    );
    request.on('error', reject);
    request.end(BODY);
  });
}

process.on('message', async (message: Ask) => {
  if (message.ask !== 'call') return;
  const started_ms = monotonicMs();
  let left = message.count;
  const loop = async (): Promise<void> => {
    while (left-- > 0) await call(message.port);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, loop));
  process.send?.({ told: 'done', started_ms, ended_ms: monotonicMs() } satisfies Told);
});

console.log('listening on 0 ');
