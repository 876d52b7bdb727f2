// The embedder behind EMBEDDINGS_URL: an OpenAI-compatible endpoint, asked in batches with a deadline. When it fails, the
// built-in embedder answers instead, one warning is logged, and it is tried again after a while.

import { isObject } from '../../domain/json.ts';
import { withoutEnd } from '../../domain/text/trimmed.ts';
import type { Log } from '../../log.ts';
import { builtInEmbedder } from './built-in.ts';
import { EMBEDDING_DIMENSIONS, type Embedded, type Embedder, toInt8 } from './embedder.ts';
import { closenessFloor } from './floor.ts';
import { UNRELATED_TEXTS } from './unrelated.ts';

/** Signs of -1 and 1, row by row; the same for one length on every machine, or stored vectors would become useless. */
function signs(length: number): Int8Array {
  let state = 0x9e3779b9 ^ length;
  return Int8Array.from({ length: length * EMBEDDING_DIMENSIONS }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 0x10000 ? 1 : -1;
  });
}

/** A function from vectors of one length to vectors of ours. */
function projection(length: number): (vector: readonly number[]) => Float32Array {
  const matrix = length > EMBEDDING_DIMENSIONS ? signs(length) : undefined;
  return (vector) => {
    const out = new Float32Array(EMBEDDING_DIMENSIONS);
    if (!matrix) {
      out.set(vector);
      return out;
    }
    for (let i = 0; i < length; i += 1) {
      const value = vector[i] ?? 0;
      const row = i * EMBEDDING_DIMENSIONS;
      for (let c = 0; c < EMBEDDING_DIMENSIONS; c += 1) out[c] = (out[c] ?? 0) + value * (matrix[row + c] ?? 0);
    }
    return out;
  };
}

/** 64 texts of 4,096 numbers at 24 characters each come to 6 MB; more is not an answer. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** Vectors longer than any model's: refused, as each costs the projection. */
const LENGTH_MAX = 8192;

async function readCapped(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    parts.push(part.value);
    bytes += part.value.length;
    if (bytes <= ANSWER_BYTES_MAX) continue;
    await reader?.cancel();
    throw new Error('the answer is too long');
  }
  return Buffer.concat(parts).toString('utf8');
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((x) => typeof x === 'number' && Number.isFinite(x));
}

/** The vectors in the order of the texts, all of one length; throws a sentence with the problem. */
async function readAnswer(response: Response, texts: number): Promise<number[][]> {
  const body: unknown = JSON.parse(await readCapped(response));
  const data = isObject(body) ? body.data : undefined;
  if (!Array.isArray(data) || data.length !== texts) throw new Error('the answer has another number of vectors');
  const vectors = new Array<number[] | undefined>(texts).fill(undefined);
  data.forEach((item: unknown, i) => {
    const index = isObject(item) && typeof item.index === 'number' ? item.index : i;
    if (isObject(item) && isVector(item.embedding) && index in vectors) vectors[index] = item.embedding;
  });
  const found = vectors.filter((vector) => vector !== undefined);
  const length = found[0]?.length ?? 0;
  if (found.length !== texts) throw new Error('a vector is missing or is not numbers');
  if (length < 1 || length > LENGTH_MAX) throw new Error('the vectors have an impossible length');
  if (found.some((vector) => vector.length !== length)) throw new Error('the vectors differ in length');
  return found;
}

export interface EndpointSettings {
  /** The endpoint itself or the API's root, to which `/embeddings` is added. */
  readonly url: string;
  /** Sent to the endpoint, and part of the model name stored with vectors. */
  readonly model: string;
  readonly key?: string | undefined;
  readonly log: Log;
  /** For one request, connecting and body included. */
  readonly timeout_ms?: number;
  /** A monotonic clock, independent of the service's own time. */
  readonly now?: () => number;
}

/** Most endpoints take 100 to 2,048 texts; with this many a slow local model still answers before the deadline. One that refuses them
 * gets half as many, down to one. */
const BATCH_TEXTS_MAX = 64;
const TIMEOUT_MS = 10_000;
/** The pause after a failure, so that a deadline does not slow every edit. */
const RETRY_AFTER_MS = 30_000;
/** The closeness of unrelated texts until the endpoint was asked for it: models lie between 0.1 and 0.8. */
const UNKNOWN_FLOOR = 0.5;
/** Answers that may mean "this model has one length only", or "so many texts are too many". */
const REFUSED_DIMENSIONS = new Set([400, 422]);
const REFUSED_TEXTS = new Set([400, 413, 422]);
/** The logged length of a refusal's body. */
const REASON_CHARS = 200;

/** The endpoint's answer holds no vectors. */
class RefusedBatch extends Error {
  constructor(
    readonly status: number,
    reason: string,
  ) {
    super(`it answered ${status}${reason && `: ${reason}`}`);
  }
}

/** The beginning of a refusal's body, without the key, which some endpoints repeat. */
async function reasonOf(response: Response, key: string | undefined): Promise<string> {
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  const text = new TextDecoder().decode(value).replace(/\p{Cc}+/gu, ' ');
  return (key ? text.replaceAll(key, '…') : text).slice(0, REASON_CHARS);
}

function endpointOf(url: string): URL {
  const target = new URL(url);
  if (!/^https?:$/.test(target.protocol)) throw new Error('EMBEDDINGS_URL must begin with http:// or https://');
  target.pathname = withoutEnd(target.pathname, '/');
  if (!target.pathname.endsWith('/embeddings')) target.pathname += '/embeddings';
  return target;
}

type Ask = (texts: readonly string[], gone: AbortSignal | undefined) => Promise<number[][]>;

/** Asks in batches as large as the endpoint accepts: a refusal halves the batch for good. */
function inBatches(ask: Ask): Ask {
  let batch = BATCH_TEXTS_MAX;
  return async (texts, gone) => {
    for (let count = Math.min(batch, texts.length); ; count = Math.ceil(count / 2)) {
      try {
        const vectors = await ask(texts.slice(0, count), gone);
        if (count < Math.min(batch, texts.length)) batch = count;
        return vectors;
      } catch (error) {
        if (!(error instanceof RefusedBatch) || !REFUSED_TEXTS.has(error.status) || count === 1) throw error;
      }
    }
  };
}

/** An embedder that never fails: `model` of an answer says whether it is the endpoint's or the built-in one's. */
export function createEndpointEmbedder(settings: EndpointSettings): Embedder {
  const { model, log, now = () => performance.now() } = settings;
  const name = `endpoint:${model}`;
  const firstOf = inBatches(requester(settings));
  let project: ReturnType<typeof projection> | undefined;
  let length = 0;
  let resumeAt = Number.NEGATIVE_INFINITY;
  let failing = false;
  let floor: number | undefined;

  const outside = async (texts: readonly string[], gone: AbortSignal | undefined): Promise<Int8Array[]> => {
    const out: Int8Array[] = [];
    while (out.length < texts.length) {
      const vectors = await firstOf(texts.slice(out.length), gone);
      const got = vectors[0]?.length ?? 0;
      project ??= projection(got);
      length ||= got;
      if (got !== length) throw new Error(`the vectors have ${got} numbers, ${length} before`);
      for (const vector of vectors) out.push(toInt8(project(vector)));
    }
    return out;
  };

  // Measured before the first vector is returned, so that every comparison can use it.
  const learnFloor = async (gone: AbortSignal | undefined): Promise<void> => {
    floor ??= closenessFloor(await outside(UNRELATED_TEXTS, gone));
  };

  const embed = async (texts: readonly string[], gone?: AbortSignal): Promise<Embedded> => {
    if (texts.length === 0) return { model: name, vectors: [] };
    if (now() < resumeAt) return builtInEmbedder.embed(texts);
    try {
      const vectors = await outside(texts, gone);
      await learnFloor(gone);
      if (failing) log.info('The embeddings endpoint answers again.');
      failing = false;
      return { model: name, vectors };
    } catch (error) {
      // Aborted by the caller: no failure of the endpoint.
      if (gone?.aborted) return builtInEmbedder.embed(texts);
      resumeAt = now() + RETRY_AFTER_MS;
      const error_text = error instanceof Error ? error.message : 'no answer';
      if (!failing) log.warn('The embeddings endpoint failed; the built-in embedder answers for it.', { error_text });
      failing = true;
      return builtInEmbedder.embed(texts);
    }
  };
  return {
    model: name,
    dimensions: EMBEDDING_DIMENSIONS,
    get closeness_floor() {
      return floor ?? UNKNOWN_FLOOR;
    },
    embed,
  };
}

/** Sends one batch. Asks for vectors of our length first, which some models can give, and stops asking when refused. */
function requester(settings: EndpointSettings): Ask {
  const { url, model, key, timeout_ms = TIMEOUT_MS } = settings;
  const target = endpointOf(url);
  const headers = { 'content-type': 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) };
  let dimensions: number | undefined = EMBEDDING_DIMENSIONS;
  const post = (texts: readonly string[], asked: number | undefined, signal: AbortSignal): Promise<Response> =>
    fetch(target, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model, input: texts, encoding_format: 'float', dimensions: asked }),
      // A redirect would send listings and the key to an address that is not configured.
      redirect: 'manual',
      signal,
    });
  return async (texts, gone) => {
    const late = AbortSignal.timeout(timeout_ms);
    const signal = gone ? AbortSignal.any([late, gone]) : late;
    let response = await post(texts, dimensions, signal);
    if (dimensions !== undefined && REFUSED_DIMENSIONS.has(response.status)) {
      await response.body?.cancel();
      response = await post(texts, undefined, signal);
      // Otherwise the refusal had another reason.
      if (response.ok) dimensions = undefined;
    }
    if (!response.ok) throw new RefusedBatch(response.status, await reasonOf(response, key));
    return readAnswer(response, texts.length);
  };
}
