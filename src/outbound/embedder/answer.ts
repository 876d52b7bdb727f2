// Reads what an OpenAI-compatible embeddings endpoint answers: `{data: [{index, embedding: [numbers]}]}`, one a text. Its
// word is checked before it is believed: number of vectors, their order, their length, and that all are numbers.

import { isObject } from '../../domain/json.ts';

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

/** The vectors in the order of the texts, all of one length; throws a sentence that says what is wrong. */
export async function readAnswer(response: Response, texts: number): Promise<number[][]> {
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
