// Bare nginx with the nchan module, from Debian's packages, as one more process of the bench: its own configuration in
// the run's folder, on a free port of loopback, one worker. Nothing of a system-wide nginx is touched.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { onServerCore } from './children.ts';
import type { Bench } from './job.ts';
import type { Target } from './load.ts';

const NGINX = '/usr/sbin/nginx';
const MODULE = '/usr/lib/nginx/modules/ngx_nchan_module.so';
const TRIES = 200;
const TRY_MS = 25;

function configuration(folder: string, port: number): string {
  return `
load_module ${MODULE};
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr crit;
worker_rlimit_nofile 20000;
events { worker_connections 19000; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  keepalive_requests 1000000000;
  nchan_shared_memory_size 256M;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location ~ ^/sub/(\\w+)$ { nchan_subscriber eventsource; nchan_channel_id $1; nchan_subscriber_first_message newest; }
    location ~ ^/pub/(\\w+)$ { nchan_publisher; nchan_channel_id $1; }
  }
}
`;
}

export async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer();
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
  });
  return promise;
}

async function answers(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`);
    return true;
  } catch {
    return false;
  }
}

/** Starts nginx with nchan; null where it is not installed. */
export async function startNchan(bench: Bench): Promise<Target | null> {
  if (!existsSync(NGINX) || !existsSync(MODULE)) return null;
  const folder = join(bench.folder, 'nginx');
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, port));
  const child = Bun.spawn(onServerCore([NGINX, '-p', folder, '-c', file]), { stdout: 'ignore', stderr: 'inherit' });
  bench.after(async () => {
    child.kill('SIGTERM');
    await child.exited;
  });
  for (let tries = 0; !(await answers(port)); tries++) {
    if (tries === TRIES || child.exitCode !== null) throw new Error('nginx did not start');
    await Bun.sleep(TRY_MS);
  }
  // The master only supervises; its one child does the work.
  const worker = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim();
  return { port, pid: Number(worker) };
}
