// The text of a page out of its bytes, as browsers find the encoding: a byte order mark, the Content-Type header, a meta
// element near the beginning; UTF-8 where none says anything that is known.

/** How far a browser looks for the meta element. */
const PRESCAN_BYTES = 1_024;
const META = /<meta\s[^>]{0,200}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w:.-]{1,40})/i;

function markedCharset(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  return a === 0xff && b === 0xfe ? 'utf-16le' : null;
}

function declaredCharset(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, PRESCAN_BYTES));
  const label = META.exec(head)?.[1] ?? null;
  // A meta element that could be read is not UTF-16, whatever it says.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

/** A decoder for a label; null for one that nobody knows. */
function decoderFor(label: string | null): TextDecoder | null {
  if (label === null) return null;
  try {
    // The label is the server's word; what the runtime does not know it refuses.
    return new TextDecoder(label as Bun.Encoding);
  } catch {
    return null;
  }
}

/** Decodes a page; what is no valid text becomes the replacement character. */
export function pageText(bytes: Uint8Array, content_type: string): string {
  const label = /;\s*charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(content_type)?.[1] ?? null;
  const decoder =
    decoderFor(markedCharset(bytes)) ??
    decoderFor(label) ??
    decoderFor(declaredCharset(bytes)) ??
    new TextDecoder('utf-8');
  return decoder.decode(bytes);
}

/** Whether a Content-Type is that of a page; a server that names none mostly sends one. */
export function isPage(content_type: string): boolean {
  return /^\s*($|text\/html\b|application\/xhtml\+xml\b)/i.test(content_type);
}
