// Who is kept from whom by a block, whichever of the two made it.
import { blocksAround } from '../../db/queries/block.ts';
import type { Read } from '../../db/store.ts';

/** The agents that are not matched with one, since one of the two blocks the other. */
export async function apartFrom(read: Read, agent_id: string): Promise<ReadonlySet<string>> {
  const blocks = await read.peek(blocksAround, { agent_id });
  return new Set(blocks.flatMap((block) => [block.agent_id, block.blocked_id]));
}
