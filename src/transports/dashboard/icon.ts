// The app's icon: three nodes that are joined, drawn twice from the same figures: as SVG for whoever scales it, and as PNG for
// home screens that take no other. The PNG is made here, when it is first asked for, by the distance of each pixel from each line.
import { crc32, deflateSync } from 'node:zlib';

const GROUND = '#1f5fd6';
const INK = '#ffffff';

/** On a square of 100: within the inner four fifths, so that a home screen may cut the corners as it likes. */
const NODES = [
  { x: 50, y: 29 },
  { x: 28, y: 68 },
  { x: 72, y: 68 },
] as const;
const RADIUS = 11;
const LINE = 6;

export const ICON_SVG = [
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">',
  `<rect width="100" height="100" rx="22" fill="${GROUND}"/>`,
  `<path d="M${NODES.map(({ x, y }) => `${x} ${y}`).join('L')}Z" fill="none" stroke="${INK}" stroke-width="${LINE}"/>`,
  ...NODES.map(({ x, y }) => `<circle cx="${x}" cy="${y}" r="${RADIUS}" fill="${INK}"/>`),
  '</svg>',
].join('');

type Point = (typeof NODES)[number];

function fromLine(x: number, y: number, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - a.x - along * dx, y - a.y - along * dy);
}

/** How far a point is outside of what is drawn; below zero within. */
function outside(x: number, y: number): number {
  const [a, b, c] = NODES;
  const lines = Math.min(fromLine(x, y, a, b), fromLine(x, y, b, c), fromLine(x, y, c, a)) - LINE / 2;
  return Math.min(lines, ...NODES.map((node) => Math.hypot(x - node.x, y - node.y) - RADIUS));
}

const channels = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** A chunk of a PNG: length, name, bytes, checksum. */
function chunk(name: string, bytes: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name), bytes]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(bytes.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** The icon as a PNG of so many pixels a side; its ground fills the square, which home screens round by themselves. */
export function iconPng(side: number): Uint8Array {
  const [ground, ink] = [channels(GROUND), channels(INK)];
  const rows = Buffer.alloc(side * (1 + 3 * side));
  const unit = 100 / side;
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const covered = Math.min(1, Math.max(0, 0.5 - outside((column + 0.5) * unit, (row + 0.5) * unit) / unit));
      for (let each = 0; each < 3; each++) {
        const [from = 0, to = 0] = [ground[each], ink[each]];
        rows[row * (1 + 3 * side) + 1 + 3 * column + each] = Math.round(from + (to - from) * covered);
      }
    }
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  // Eight bits a channel, three channels.
  head.set([8, 2], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.of())]);
}
