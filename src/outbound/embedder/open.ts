// Chooses the embedder by the settings.
import type { Config } from '../../config.ts';
import type { Log } from '../../log.ts';
import { builtInEmbedder } from './built-in.ts';
import type { Embedder } from './embedder.ts';
import { createEndpointEmbedder } from './endpoint.ts';

/** The built-in embedder, or the endpoint of EMBEDDINGS_URL. */
export function openEmbedder(config: Config, log: Log): Embedder {
  const { embeddingsUrl: url, embeddingsModel: model = 'default', embeddingsKey: key } = config;
  return url === undefined ? builtInEmbedder : createEndpointEmbedder({ url, model, key, log });
}
