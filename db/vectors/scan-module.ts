// A small WebAssembly module that takes the dot products of one query with many rows of signed bytes, 16 at a time.
// It is assembled here, instruction by instruction, so that what runs is what a reader sees. In text form, where D is
// the dimension and `query` points at the query widened to 16 bits:
//
//   (func (export "scan") (param $row i32) (param $count i32) (param $out i32) (local $bytes v128) (local $sum v128)
//     (loop $next ...))      ;; out[i] = Σ rows[i][d] × query[d], for `count` rows

/** WebAssembly's unit of memory, 64 KiB. */
export const PAGE_BYTES = 65_536;
/** Bytes that one SIMD instruction reads; rows are padded to a multiple of it. */
export const LANE_BYTES = 16;

export interface ScanModule {
  readonly memory: WebAssembly.Memory;
  /** Writes `count` dot products as i32 from `out` on, for the rows that start at `row`; `count` is at least 1. */
  readonly scan: (row: number, count: number, out: number) => void;
}

const I32 = 0x7f;
const V128 = 0x7b;
const FUNCTION = 0x60;
const END = 0x0b;

/** An unsigned LEB128 number, as the format writes all sizes and offsets. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** A signed LEB128 number that is not negative. */
function positive(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...positive(value >>> 7)];
}

const vector = (items: readonly (readonly number[])[]): number[] => [...unsigned(items.length), ...items.flat()];
const section = (id: number, body: readonly number[]): number[] => [id, ...unsigned(body.length), ...body];
const text = (value: string): number[] => [...unsigned(value.length), ...new TextEncoder().encode(value)];

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const tee = (local: number): number[] => [0x22, local];
/** A constant; the format writes it as a signed number, whose last byte must leave the sign bit free. */
const constant = (value: number): number[] => [0x41, ...positive(value)];
const ADD = [0x6a];
const SUBTRACT = [0x6b];
const STORE = [0x36, 2, 0];
const simd = (code: number): number[] => [0xfd, ...unsigned(code)];
const load = (offset: number): number[] => [...simd(0x00), 4, ...unsigned(offset)];
const ZEROS = [...simd(0x0c), ...new Array<number>(LANE_BYTES).fill(0)];
const WIDEN_LOW = simd(0x87); // i16x8.extend_low_i8x16_s
const WIDEN_HIGH = simd(0x88); // i16x8.extend_high_i8x16_s
const DOT = simd(0xba); // i32x4.dot_i16x8_s
const ADD_LANES = simd(0xae); // i32x4.add
const lane = (n: number): number[] => [...simd(0x1b), n]; // i32x4.extract_lane

const advance = (local: number, by: number): number[] => [...get(local), ...constant(by), ...ADD, ...set(local)];

function scanBody(rowBytes: number, query: number): number[] {
  const [row, count, out, bytes, sum] = [0, 1, 2, 3, 4] as const;
  const half = (widen: readonly number[], offset: number): number[] => [
    ...[...widen, ...constant(0), ...load(query + offset), ...DOT, ...ADD_LANES],
  ];
  const chunks: number[] = [];
  for (let at = 0; at < rowBytes; at += LANE_BYTES) {
    chunks.push(...get(sum), ...get(row), ...load(at), ...tee(bytes), ...half(WIDEN_LOW, at * 2));
    chunks.push(...get(bytes), ...half(WIDEN_HIGH, at * 2 + LANE_BYTES), ...set(sum));
  }
  const lanes = [0, 1, 2, 3].flatMap((n) => [...get(sum), ...lane(n), ...(n > 0 ? ADD : [])]);
  return [
    ...[0x03, 0x40], // loop
    ...[...ZEROS, ...set(sum), ...chunks],
    ...[...get(out), ...lanes, ...STORE],
    ...[...advance(row, rowBytes), ...advance(out, 4)],
    ...[...get(count), ...constant(1), ...SUBTRACT, ...tee(count), 0x0d, 0], // br_if 0
    ...[END, END],
  ];
}

function assembled(rowBytes: number, query: number, pages: number): WebAssembly.Module {
  const body = [...vector([[2, V128]]), ...scanBody(rowBytes, query)];
  const bytes = Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, vector([[FUNCTION, ...vector([[I32], [I32], [I32]]), ...vector([])]])),
    ...section(3, vector([[0]])),
    ...section(5, vector([[0x00, ...unsigned(pages)]])),
    ...section(
      7,
      vector([
        [...text('memory'), 2, 0],
        [...text('scan'), 0, 0],
      ]),
    ),
    ...section(10, vector([[...unsigned(body.length), ...body]])),
  ]);
  return new WebAssembly.Module(bytes);
}

/** Compiled once for each shape. */
const modules = new Map<string, WebAssembly.Module>();

/**
 * Assembles and starts a module for rows of `rowBytes`, a multiple of 16. Its memory starts with `pages` and can grow
 * to 4 GiB; the widened query is read at `query`, a multiple of 16.
 */
export function startScan(rowBytes: number, query: number, pages: number): ScanModule {
  const shape = [rowBytes, query, pages].join(' ');
  const module = modules.get(shape) ?? assembled(rowBytes, query, pages);
  modules.set(shape, module);
  const { exports } = new WebAssembly.Instance(module);
  return exports as unknown as ScanModule;
}
