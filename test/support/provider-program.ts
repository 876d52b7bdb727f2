// A provider (provider.ts) as a program of its own, which a server in another process calls: who starts it reads where it listens, gives
// it the secrets by which it checks signatures, and asks it for its log.
import { type Dispatched, PROVIDER_HOST, startProvider } from './provider.ts';

/** A started program, seen from outside. */
export interface ProviderProgram {
  readonly port: number;
  url(behaviour: string): string;
  /** Gives it the secret of an offer. */
  trust(signing_secret: string): Promise<void>;
  /** Everything that was dispatched to it. */
  log(): Promise<readonly Dispatched[]>;
  end(): Promise<void>;
}

/** Starts the program; resolves once it listens. */
export async function startProviderProgram(): Promise<ProviderProgram> {
  const child = Bun.spawn([process.execPath, import.meta.path], { stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' });
  const first = await child.stdout.getReader().read();
  const { port, control } = JSON.parse(new TextDecoder().decode(first.value));
  return {
    port,
    url: (behaviour) => `https://${PROVIDER_HOST}:${port}/${behaviour}/program`,
    trust: async (signing_secret) => {
      await fetch(control, { method: 'POST', body: signing_secret });
    },
    log: async () => (await fetch(control)).json(),
    end: async () => {
      child.kill();
      await child.exited;
    },
  };
}

if (import.meta.main) {
  const provider = await startProvider();
  const control = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      if (request.method === 'POST') provider.secrets.add(await request.text());
      return Response.json(provider.dispatched);
    },
  });
  console.log(JSON.stringify({ port: provider.port, control: control.url.href }));
}
