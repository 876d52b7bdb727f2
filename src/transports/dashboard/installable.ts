// What makes the web app one that can be installed: its manifest, its icons, and its service worker.
import type { PlainRoute } from '../app.ts';
import { fixedReply } from '../fixed-reply.ts';
import type { DashboardBundle } from './bundle.ts';
import { ICON_SVG, iconPng } from './icon.ts';
import { workerScript } from './worker-script.ts';

/** Those that home screens ask for. */
const SIDES = [192, 512] as const;

/** What the page's head says of it. */
export function installableHead(base: string): string {
  return [
    `<link rel="manifest" href="${base}/app.webmanifest">`,
    `<link rel="icon" href="${base}/icon.svg" type="image/svg+xml">`,
    `<link rel="apple-touch-icon" href="${base}/icon-192.png">`,
    '<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f6f7f9">',
    '<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#101216">',
  ].join('');
}

function manifestOf(base: string): string {
  const home = base === '' ? '/' : base;
  return JSON.stringify({
    id: home,
    name: 'Meshwork',
    short_name: 'Meshwork',
    description: 'A network in which software agents represent people and businesses.',
    start_url: home,
    scope: home,
    display: 'standalone',
    background_color: '#f6f7f9',
    theme_color: '#1f5fd6',
    icons: [
      { src: `${base}/icon.svg`, sizes: 'any', type: 'image/svg+xml' },
      ...SIDES.map((side) => ({
        src: `${base}/icon-${side}.png`,
        sizes: `${side}x${side}`,
        type: 'image/png',
        purpose: 'any maskable',
      })),
    ],
  });
}

/** It loads nothing, and calls this service alone. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'; require-trusted-types-for 'script'";

const FOR_A_DAY = 'public, max-age=86400';

export function installableRoutes(
  base: string,
  screens: readonly string[],
  bundle: () => Promise<DashboardBundle>,
): readonly PlainRoute[] {
  const file = (
    name: string,
    type: string,
    load: () => Promise<string | Uint8Array>,
    headers: Readonly<Record<string, string>> = { 'Cache-Control': FOR_A_DAY },
  ): PlainRoute => {
    const bytes = async (): Promise<Uint8Array> => {
      const made = await load();
      return typeof made === 'string' ? new TextEncoder().encode(made) : made;
    };
    const sent = { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff', ...headers };
    return { method: 'GET', path: `${base}/${name}`, handle: fixedReply(bytes, sent) };
  };
  const worker = async (): Promise<string> => {
    const { script, style } = await bundle();
    const files = [script, style].map(({ name }) => `${base}/assets/${name}`);
    return workerScript({ base, screens, files, icon: `${base}/icon-192.png` });
  };
  return [
    file('app.webmanifest', 'application/manifest+json; charset=utf-8', async () => manifestOf(base)),
    file('icon.svg', 'image/svg+xml; charset=utf-8', async () => ICON_SVG),
    ...SIDES.map((side) => file(`icon-${side}.png`, 'image/png', async () => iconPng(side))),
    file('worker.js', 'text/javascript; charset=utf-8', worker, {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': WORKER_POLICY,
      // The app's first page has no slash at its end, behind which a worker stands otherwise.
      'Service-Worker-Allowed': base === '' ? '/' : base,
    }),
  ];
}
