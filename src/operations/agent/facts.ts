// What an agent's row does not say of it and its views show: its presence, and whether its webhooks take what is sent.
import type { PresenceFacts } from '../../../actors/presence-store.ts';
import type { World } from '../world.ts';

export interface AgentFacts extends PresenceFacts {
  /** Whether it has an active webhook whose last delivery did not fail (decisions.md 4). */
  readonly webhook: boolean;
}

/** The facts of an agent as they stand, out of memory where they are known. */
export async function factsOf(
  { directory, routes }: Pick<World, 'directory' | 'routes'>,
  id: string,
): Promise<AgentFacts> {
  const [presence, webhook] = await Promise.all([directory.presence(id), routes.hasWorkingHook(id)]);
  return { ...presence, webhook };
}
