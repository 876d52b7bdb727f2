// Server-sent events as the HTML standard reads them: lines end with CR, LF or both, fields collect until an empty line,
// comments say that the connection lives.

/** One event of a stream. */
export interface StreamMessage {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** An event longer than this is no event of the service: its stream is given up. */
const EVENT_CHARACTERS_MAX = 4 * 1024 * 1024;

const LINE_END = /\r\n|\r|\n/g;

/** Parses the bytes of a stream into complete events. */
export class EventParser {
  /** The pieces of an incomplete line. */
  #begun: string[] = [];
  #data: string[] = [];
  #size = 0;
  #event = '';
  #id = '';
  /** The id of the last event that was complete, also of one without data: what the stream is resumed by. */
  last_id = '';
  /** A CR ended the last chunk: an LF that begins the next one belongs to it. */
  #after_cr = false;
  readonly #decoder = new TextDecoder();

  /** The events that a chunk completes; throws a RangeError on one without end. */
  take(chunk: Uint8Array): StreamMessage[] {
    const decoded = this.#decoder.decode(chunk, { stream: true });
    if (decoded === '') return [];
    const text = this.#after_cr && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    this.#after_cr = decoded.endsWith('\r');
    this.#size += text.length;
    if (this.#size > EVENT_CHARACTERS_MAX + text.length) throw new RangeError('an event without end');
    const found: StreamMessage[] = [];
    let from = 0;
    for (const { 0: end, index } of text.matchAll(LINE_END)) {
      this.#line([...this.#begun, text.slice(from, index)].join(''), found);
      this.#begun = [];
      from = index + end.length;
    }
    if (from < text.length) this.#begun.push(text.slice(from));
    return found;
  }

  #line(line: string, found: StreamMessage[]): void {
    if (line === '') {
      const [id, event, data] = [this.#id, this.#event || 'message', this.#data];
      if (data.length > 0) found.push({ id, event, data: data.join('\n') });
      [this.#data, this.#size, this.#event, this.last_id] = [[], 0, '', id];
      return;
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
  }
}
