// Design tokens of the app, pages and letters: colours for light and dark, sizes, distances. The accent is derived from the
// instance's colour, in shades with a contrast of 4.5 to 1 for text in it and on it (WCAG 2.2, 1.4.3).

/** How an accent is derived: lightness step, minimum contrast, share of the colour in the tint. */
interface Shading {
  readonly step: number;
  readonly least: number;
  readonly tinted: number;
}

const DARKER: Shading = { step: -0.01, least: 4.5, tinted: 0.1 };
/** More than text requires: coloured text looks dimmer on a dark background. */
const LIGHTER: Shading = { step: 0.01, least: 5.5, tinted: 0.14 };
/** Minimum contrast of graphics (WCAG 2.2, 1.4.11). */
const DRAWING = 3;
const WHITE = '#ffffff';
export const LIGHT = {
  paper: '#f7f8fa',
  card: WHITE,
  raised: '#f1f3f6',
  ink: '#14171c',
  quiet: '#5a6170',
  line: '#e2e5ea',
  // For controls delimited only by a border: 3 to 1 against both sides.
  edge: '#868d9b',
  bad: '#b3261e',
  good: '#146c3a',
  wait: '#7a4d00',
  'bad-tint': '#fdeceb',
  'good-tint': '#e5f5ec',
  'wait-tint': '#fdf2dc',
  'shade-1': '0 1px 2px rgb(16 24 40/5%)',
  'shade-2': '0 12px 32px rgb(16 24 40/16%)',
} as const;

type Tokens = { readonly [Name in keyof typeof LIGHT]: string };

export const DARK: Tokens = {
  paper: '#0f1115',
  card: '#171a20',
  raised: '#1f232b',
  ink: '#e9ebef',
  quiet: '#a2aab8',
  line: '#2a2f39',
  edge: '#757d8c',
  bad: '#ff9d94',
  good: '#7fd6a1',
  wait: '#ffcf7a',
  'bad-tint': '#3a1d1b',
  'good-tint': '#14301f',
  'wait-tint': '#352810',
  'shade-1': 'none',
  'shade-2': '0 12px 32px rgb(0 0 0/55%)',
};

/** The same in light and dark. */
const SIZES = {
  font: 'system-ui,-apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif',
  'text-xs': '.75rem',
  'text-s': '.8125rem',
  'text-m': '.9375rem',
  'text-l': '1.0625rem',
  'text-xl': '1.5rem',
  'text-xxl': '2rem',
  'space-1': '.25rem',
  'space-2': '.5rem',
  'space-3': '.75rem',
  'space-4': '1rem',
  'space-5': '1.5rem',
  'space-6': '2rem',
  'round-s': '.375rem',
  'round-m': '.5rem',
  'round-l': '.75rem',
} as const;

/** All colours of one scheme. */
export interface Scheme extends Tokens {
  readonly accent: string;
  readonly 'on-accent': string;
  readonly tint: string;
}

export interface Look {
  readonly light: Scheme;
  readonly dark: Scheme;
  /** The logo: its background, which is the instance's configured colour, and its foreground. */
  readonly mark: { readonly ground: string; readonly ink: string };
}

type Three = readonly [number, number, number];

/** Red, green and blue, 0 to 255. */
export function channels(colour: string): Three {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return [red, green, blue];
}

const hex = (parts: readonly number[]): string =>
  `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** Mixes a share of another colour into a colour. */
function mixed(colour: string, other: string, share: number): string {
  const others = channels(other);
  return hex(channels(colour).map((part, at) => part + ((others[at] ?? 0) - part) * share));
}

/** Hue in degrees; saturation and lightness from 0 to 1. */
function hslOf(colour: string): Three {
  const [red, green, blue] = channels(colour).map((part) => part / 255) as unknown as Three;
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const [span, lightness] = [most - least, (most + least) / 2];
  if (span === 0) return [0, 0, lightness];
  const sector =
    most === red ? (green - blue) / span : most === green ? (blue - red) / span + 2 : (red - green) / span + 4;
  return [(sector * 60 + 360) % 360, span / (1 - Math.abs(2 * lightness - 1)), lightness];
}

function ofHsl([hue, saturation, lightness]: Three): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  return hex(
    [0, 8, 4].map((part) => {
      const at = (part + hue / 30) % 12;
      return 255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)));
    }),
  );
}

/** A scheme whose accent is the nearest shade of the colour with enough contrast on every background. */
function schemeOf(base: Tokens, colour: string, on_accent: string, { step, least, tinted }: Shading): Scheme {
  const [hue, saturation, begins] = hslOf(colour);
  for (let lightness = begins; ; lightness += step) {
    const accent = ofHsl([hue, saturation, Math.min(1, Math.max(0, lightness))]);
    const tint = mixed(base.card, accent, tinted);
    const behind = [base.paper, base.card, base.raised, tint, on_accent];
    const is_last = step < 0 ? lightness <= 0 : lightness >= 1;
    if (is_last || behind.every((each) => contrast(accent, each) >= least))
      return { ...base, accent, tint, 'on-accent': on_accent };
  }
}

/** The tokens for an instance's colour, `#rrggbb`. */
export function lookOf(colour: string): Look {
  return {
    light: schemeOf(LIGHT, colour, WHITE, DARKER),
    dark: schemeOf(DARK, colour, DARK.paper, LIGHTER),
    mark: { ground: colour, ink: contrast(colour, WHITE) >= DRAWING ? WHITE : LIGHT.ink },
  };
}

const declared = (tokens: Readonly<Record<string, string>>): string =>
  Object.entries(tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** The tokens as CSS custom properties, such as `var(--accent)`. */
export function tokenSheet({ light, dark }: Look): string {
  return `:root{color-scheme:light dark;${declared(SIZES)};${declared({ ...light })}}@media (prefers-color-scheme:dark){:root{${declared({ ...dark })}}}`;
}

/** In a 100 × 100 square, within the inner 80 %, the safe zone of maskable icons. */
export const MARK = {
  nodes: [
    { x: 50, y: 29 },
    { x: 28, y: 68 },
    { x: 72, y: 68 },
  ],
  radius: 11,
  line: 6,
} as const;

/** The logo as SVG. */
export function markSvg({ mark: { ground, ink } }: Look): string {
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">',
    `<rect width="100" height="100" rx="22" fill="${ground}"/>`,
    `<path d="M${MARK.nodes.map(({ x, y }) => `${x} ${y}`).join('L')}Z" fill="none" stroke="${ink}" stroke-width="${MARK.line}"/>`,
    ...MARK.nodes.map(({ x, y }) => `<circle cx="${x}" cy="${y}" r="${MARK.radius}" fill="${ink}"/>`),
    '</svg>',
  ].join('');
}
