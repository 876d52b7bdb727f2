// Answers the same bytes every time: documents and scripts that are made once. Compressed on first demand, off the
// main thread, kept in memory, and revalidated by ETag.
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { holdsTag } from './caching.ts';

type Encoding = 'br' | 'gzip' | 'identity';

/** 5 of 11: a fifth smaller than gzip at the same speed; 11 takes seconds for a script of some megabytes. */
const BROTLI_QUALITY = 5;

const compress: Record<'br' | 'gzip', (bytes: Uint8Array) => Promise<Uint8Array>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (bytes) => promisify(gzip)(bytes),
};

/** What the reader takes, best first; an encoding with q=0 is one that it refuses. */
function encodingFor(request: Request): Encoding {
  const taken = (request.headers.get('accept-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const takes = (name: string): boolean =>
    taken.some((part) => part.split(';', 1)[0]?.trim() === name && !/;\s*q=0(\.0*)?$/.test(part));
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity';
}

/** A handler that answers what `load` gives, loaded on the first request. */
export function fixedReply(
  load: () => Promise<Uint8Array>,
  headers: Readonly<Record<string, string>>,
): (request: Request) => Promise<Response> {
  let original: Promise<Uint8Array> | null = null;
  let tag = '';
  const encoded = new Map<Encoding, Promise<Uint8Array>>();

  const loaded = async (): Promise<Uint8Array> => {
    const bytes = await load();
    tag = Bun.hash(bytes).toString(36);
    return bytes;
  };

  return async (request) => {
    original ??= loaded();
    const bytes = await original;
    const encoding = encodingFor(request);
    const etag = `"${tag}-${encoding}"`;
    const vary = headers['Vary'] === undefined ? 'Accept-Encoding' : `${headers['Vary']}, Accept-Encoding`;
    const shared = { ...headers, ETag: etag, Vary: vary, 'X-Request-Id': Bun.randomUUIDv7() };
    if (holdsTag(request, etag)) return new Response(null, { status: 304, headers: shared });
    if (encoding === 'identity') return new Response(bytes.slice(), { headers: shared });
    const ready = encoded.get(encoding) ?? compress[encoding](bytes);
    encoded.set(encoding, ready);
    return new Response((await ready).slice(), { headers: { ...shared, 'Content-Encoding': encoding } });
  };
}
