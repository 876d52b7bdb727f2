// Chooses the embedder by the settings.
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import { builtInEmbedder } from './built-in.ts';
import type { Embedder } from './embedder.ts';

/** The built-in embedder, or the endpoint of EMBEDDINGS_URL. */
export function openEmbedder(_config: Config, _log: Log): Embedder {
  return builtInEmbedder;
}
