// The bytes of the embedder's table. The system reads the single binary page by page as it is used, so the table is used where it lies in
// the memory of the process, without a copy; scripts/build-binary.ts notes where that is.
import { type Pointer, toArrayBuffer } from 'bun:ffi';
import { readFileSync, readlinkSync } from 'node:fs';
import tableFile from './table.bin' with { type: 'file' };
import placeFile from './table-place.txt' with { type: 'file' };

/** A readable part of a file in memory: its beginning and end, and where it begins in the file. */
const PART = /^([0-9a-f]{1,16})-([0-9a-f]{1,16}) r\S{3} ([0-9a-f]{1,16}) \S{1,20} \d{1,20} {1,80}(\/.*)$/;

/** The address of a range of the program's file; null where it is not in memory as one piece. */
function addressOf(at: number, length: number): number | null {
  const program = readlinkSync('/proc/self/exe');
  for (const line of readFileSync('/proc/self/maps', 'latin1').split('\n')) {
    const [, from = '', to = '', offset = '', path] = PART.exec(line) ?? [];
    if (path !== program) continue;
    const [begin, end, skipped] = [from, to, offset].map((hex) => Number.parseInt(hex, 16));
    if (begin === undefined || end === undefined || skipped === undefined) continue;
    if (skipped <= at && at + length <= skipped + end - begin) return begin + at - skipped;
  }
  return null;
}

export function tableBytes(): Uint8Array {
  const [at = 0, length = 0] = readFileSync(placeFile, 'latin1').split(' ').map(Number);
  const address = length > 0 ? addressOf(at, length) : null;
  if (address === null) return readFileSync(tableFile);
  return new Uint8Array(toArrayBuffer(address as Pointer, 0, length));
}
