// An outside embedder that fails now and then: the built-in one stands in for it and says so, as the real port does.
import { builtInEmbedder } from '../../src/outbound/embedder/built-in.ts';
import type { Embedder } from '../../src/outbound/embedder/embedder.ts';

/** The model that the world means to use. */
const SIM_MODEL = 'sim-model';

/** `fails` is asked once for each batch. */
export function flakyEmbedder(fails: () => boolean): Embedder {
  return {
    ...builtInEmbedder,
    model: SIM_MODEL,
    embed: async (texts) => {
      const made = await builtInEmbedder.embed(texts);
      return fails() ? made : { ...made, model: SIM_MODEL };
    },
  };
}
