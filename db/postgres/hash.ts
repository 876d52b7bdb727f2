// PostgreSQL's hash of a text (hashtext), by which Citus finds a row's shard: Bob Jenkins' lookup3, as hash_bytes has it.

const START = 0x9e3779b9 + 3_923_095;
/** A block: three words. */
const BLOCK = 12;

const turned = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** As a signed number of 32 bits. */
export function hashText(text: string): number {
  const bytes = Buffer.from(text);
  let a = (START + bytes.length) | 0;
  let [b, c] = [a, a];
  let at = 0;
  for (; bytes.length - at >= BLOCK; at += BLOCK) {
    a = (a + bytes.readInt32LE(at)) | 0;
    b = (b + bytes.readInt32LE(at + 4)) | 0;
    c = (c + bytes.readInt32LE(at + 8)) | 0;
    a = ((a - c) ^ turned(c, 4)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ turned(a, 6)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ turned(b, 8)) | 0;
    b = (b + a) | 0;
    a = ((a - c) ^ turned(c, 16)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ turned(a, 19)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ turned(b, 4)) | 0;
    b = (b + a) | 0;
  }
  // The lowest byte of the last word is kept for the length.
  const rest = Buffer.alloc(BLOCK);
  rest.set(bytes.subarray(at, at + 8));
  rest.set(bytes.subarray(at + 8), 9);
  a = (a + rest.readInt32LE(0)) | 0;
  b = (b + rest.readInt32LE(4)) | 0;
  c = (c + rest.readInt32LE(8)) | 0;
  c = ((c ^ b) - turned(b, 14)) | 0;
  a = ((a ^ c) - turned(c, 11)) | 0;
  b = ((b ^ a) - turned(a, 25)) | 0;
  c = ((c ^ b) - turned(b, 16)) | 0;
  a = ((a ^ c) - turned(c, 4)) | 0;
  b = ((b ^ a) - turned(a, 14)) | 0;
  return ((c ^ b) - turned(b, 24)) | 0;
}
