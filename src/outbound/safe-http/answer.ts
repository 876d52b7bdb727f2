// Reads one HTTP/1.1 answer (RFC 9112) from the bytes of a connection. The other server is untrusted: what is not exactly in the form
// is refused, and every part has a limit.

/** Of an answer's header, of a chunk's extension and of trailers; no receiver needs more. */
const LINES_BYTES_MAX = 16_384;

/** Of interim answers (1xx) before the final one; a proxy or two send one each. Without a limit they would bypass the byte
 * cap, and their parsing would block the event loop. */
const INTERIM_MAX = 8;

/** The raw bytes per byte of a body: sent alone, it is a chunk of six. More are chunk extensions, zeros before a chunk's size or
 * line ends before a header, all of which can be endless. */
const CHUNK_BYTES_MAX = 6;

/** The limit of a body's pieces, and above it their least average size: one read of the socket may hold half a mebibyte, and in
 * pieces of one byte it would block the event loop. */
const PIECES_MAX = 2_048;
const PIECE_BYTES = 64;

/** Of a raw answer: all its headers, its trailers, and its body. */
const rawBytesMax = (bytes_max: number): number => LINES_BYTES_MAX * (INTERIM_MAX + 2) + CHUNK_BYTES_MAX * bytes_max;

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/;
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const LENGTH = /^\d{1,15}$/;
const HEX = /^[0-9a-f]+$/i;
/** What may stand in no line. */
const CONTROL = /[\0\r\n]/;
const LINE_END = '\r\n';

/** Why an answer is read no further. */
export interface Unreadable {
  readonly reason: 'too_large' | 'reset';
  readonly message: string;
}

type Headers = Readonly<Record<string, string>>;

/** What the next bytes are: lines of a header, a body, or after the answer. */
type Part = 'head' | 'known' | 'size' | 'chunk' | 'chunk end' | 'trailers' | 'endless' | 'over';

export interface Limits {
  readonly method: string;
  readonly bytes_max: number;
  /** Reads a body of any announced length up to the cap. */
  readonly cut?: boolean | undefined;
}

const malformed = (message: string): Unreadable => ({ reason: 'reset', message });
const tooLarge = (message: string): Unreadable => ({ reason: 'too_large', message });

const NOT_HTTP = malformed('What came is no answer in HTTP/1.1.');
const LONG_LINES = tooLarge(`A header of the answer is longer than ${LINES_BYTES_MAX} bytes.`);

/** The size of a chunk, whose extension is ignored; null for a malformed line. */
function sizeOf(line: string): number | null {
  const [digits = ''] = line.split(';', 1);
  const size = HEX.test(digits.trim()) ? Number.parseInt(digits, 16) : Number.NaN;
  return Number.isSafeInteger(size) && !CONTROL.test(line) ? size : null;
}

/** The fields of a header by lower-case name; several of one name are joined (RFC 9110, 5.3). Null when one is malformed. */
function fieldsOf(lines: readonly string[]): Headers | null {
  const fields: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    if (!NAME.test(name) || CONTROL.test(line)) return null;
    const [key, value] = [name.toLowerCase(), line.slice(colon + 1).trim()];
    const before = fields[key];
    fields[key] = before === undefined ? value : `${before}, ${value}`;
  }
  return fields;
}

export class AnswerReader {
  /** Null before the final header has come; that of a refused switch of protocols is 101. */
  status: number | null = null;
  headers: Headers | null = null;
  /** Whether another request may be sent on the connection of a whole answer. */
  reusable = false;
  readonly #limits: Limits;
  #part: Part = 'head';
  /** Bytes of an unfinished line or header. */
  #unread: Buffer | null = null;
  #raw_bytes = 0;
  #interim = 0;
  /** Of the body, or of its chunk. */
  #left = 0;
  #trailer_bytes = 0;
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Whether anything has come. */
  get hasBegun(): boolean {
    return this.#raw_bytes > 0;
  }

  /** The body as far as it has come, at most `bytes_max`. */
  get body(): Uint8Array {
    const [only] = this.#pieces;
    const whole = this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces);
    return whole.subarray(0, this.#limits.bytes_max);
  }

  /** Reads what has come. */
  read(bytes: Buffer): 'more' | 'whole' | Unreadable {
    this.#raw_bytes += bytes.byteLength;
    if (this.#raw_bytes > rawBytesMax(this.#limits.bytes_max)) {
      return tooLarge('What came is far longer than the answer in it.');
    }
    let left = this.#unread ? Buffer.concat([this.#unread, bytes]) : bytes;
    this.#unread = null;
    while (left.byteLength > 0 && this.#part !== 'over') {
      const next = this.#step(left);
      if (!(next instanceof Uint8Array)) return next;
      // Unfinished: it waits for the rest.
      if (next === left) {
        this.#unread = left;
        break;
      }
      left = next;
    }
    if (this.#part !== 'over') return 'more';
    // What follows an answer belongs to no request.
    if (left.byteLength > 0) this.reusable = false;
    return 'whole';
  }

  /** The connection has ended: whether the answer is whole with that. */
  endsWhole(): boolean {
    return this.#part === 'endless';
  }

  /** Reads the next part of the bytes and returns the rest; the same bytes when they are unfinished. */
  #step(bytes: Buffer): Buffer | Unreadable {
    switch (this.#part) {
      case 'head':
        return this.#readHead(bytes);
      case 'known':
      case 'chunk':
        return this.#readBody(bytes);
      case 'endless':
        return this.#take(bytes) ?? bytes.subarray(bytes.byteLength);
      case 'size':
      case 'chunk end':
      case 'trailers':
        return this.#readLine(bytes);
      case 'over':
        return bytes;
    }
  }

  #readHead(bytes: Buffer): Buffer | Unreadable {
    let from = 0;
    while (bytes[from] === 13 || bytes[from] === 10) from += 1;
    if (from > 0) return bytes.subarray(from);
    const end = bytes.indexOf('\r\n\r\n');
    if ((end < 0 ? bytes.byteLength : end) > LINES_BYTES_MAX) return LONG_LINES;
    if (end < 0) return bytes;
    const [first = '', ...lines] = bytes.toString('latin1', 0, end).split(LINE_END);
    const [, minor, digits] = STATUS_LINE.exec(first) ?? [];
    const headers = fieldsOf(lines);
    if (digits === undefined || !headers) return NOT_HTTP;
    const status = Number(digits);
    const rest = bytes.subarray(end + 4);
    if (status >= 200) return this.#begin(status, headers, minor === '1') ?? rest;
    if (status === 101) {
      // No upgrade was requested, and another protocol's stream has no end.
      this.status = status;
      return malformed('The connection was switched to another protocol.');
    }
    this.#interim += 1;
    if (this.#interim <= INTERIM_MAX) return rest;
    return tooLarge(`More than ${INTERIM_MAX} interim answers came before the answer.`);
  }

  /** Takes the final header, and what it says of the body (RFC 9112, 6.3). */
  #begin(status: number, headers: Headers, current: boolean): Unreadable | null {
    const { method, bytes_max, cut } = this.#limits;
    const { 'transfer-encoding': coding, 'content-length': length, connection = '' } = headers;
    this.status = status;
    const close = /\bclose\b/i.test(connection);
    if (method === 'HEAD' || status === 204 || status === 304) this.#part = 'over';
    else if (coding !== undefined) {
      if (!current || length !== undefined || coding.toLowerCase() !== 'chunked') return NOT_HTTP;
      this.#part = 'size';
    } else if (length !== undefined) {
      if (!LENGTH.test(length)) return NOT_HTTP;
      this.#left = Number(length);
      if (this.#left > bytes_max && !cut) return tooLarge(`The answer is longer than ${bytes_max} bytes.`);
      this.#part = this.#left === 0 ? 'over' : 'known';
    } else this.#part = 'endless';
    this.headers = headers;
    this.reusable = current && !close && this.#part !== 'endless';
    return null;
  }

  #readBody(bytes: Buffer): Buffer | Unreadable {
    const piece = bytes.subarray(0, this.#left);
    this.#left -= piece.byteLength;
    if (this.#left === 0) this.#part = this.#part === 'chunk' ? 'chunk end' : 'over';
    return this.#take(piece) ?? bytes.subarray(piece.byteLength);
  }

  #take(piece: Uint8Array): Unreadable | null {
    this.#bytes += piece.byteLength;
    this.#pieces.push(piece);
    const { bytes_max } = this.#limits;
    if (this.#bytes > bytes_max) return tooLarge(`The answer is longer than ${bytes_max} bytes.`);
    if (this.#pieces.length <= PIECES_MAX + this.#bytes / PIECE_BYTES) return null;
    return tooLarge('The answer came in too many small pieces.');
  }

  /** Reads a line of the chunked coding (RFC 9112, 7.1). */
  #readLine(bytes: Buffer): Buffer | Unreadable {
    const end = bytes.indexOf(LINE_END);
    if ((end < 0 ? bytes.byteLength : end) > LINES_BYTES_MAX) return LONG_LINES;
    if (end < 0) return bytes;
    const rest = bytes.subarray(end + LINE_END.length);
    if (this.#part === 'size') {
      const size = sizeOf(bytes.toString('latin1', 0, end));
      if (size === null) return NOT_HTTP;
      this.#left = size;
      this.#part = this.#left === 0 ? 'trailers' : 'chunk';
    } else if (this.#part === 'chunk end') {
      if (end > 0) return NOT_HTTP;
      this.#part = 'size';
    } else if (end === 0) this.#part = 'over';
    else {
      this.#trailer_bytes += end;
      if (this.#trailer_bytes > LINES_BYTES_MAX) return LONG_LINES;
    }
    return rest;
  }
}
