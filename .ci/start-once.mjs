// Starts the given binary in an empty folder, asks whether it is up and ready, and stops it: exit 0 when all held.
// Plain Node without packages, since it checks what needs neither Bun nor node_modules.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const START_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'meshwork-start-'));
const child = spawn(resolve(process.argv[2]), ['serve'], {
  cwd: folder,
  env: { PATH: process.env.PATH, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const exited = new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)));

function within(promise, limit_ms, what) {
  const late = new Promise((_, reject) => setTimeout(reject, limit_ms, new Error(`${what} took too long`)).unref());
  return Promise.race([promise, late]);
}

function listening() {
  let text = '';
  return new Promise((done, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it listened`)));
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const url = /listening on (\S+)\n/.exec(text)?.[1];
      if (url) done(url);
    });
  });
}

function status(url) {
  return new Promise((done, reject) => {
    get(url, { agent: false }, (answer) => done(answer.resume().statusCode)).once('error', reject);
  });
}

try {
  const started = performance.now();
  const url = await within(listening(), START_TIMEOUT_MS, 'the start');
  for (const path of ['/healthz', '/readyz']) {
    const got = await within(status(url + path), START_TIMEOUT_MS, path);
    if (got !== 200) throw new Error(`${path} answered ${got}`);
  }
  console.log(`ready after ${Math.round(performance.now() - started)} ms`);
  child.kill('SIGTERM');
  const code = await within(exited, STOP_TIMEOUT_MS, 'the stop');
  if (code !== 0) throw new Error(`ended with ${code} on SIGTERM`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
