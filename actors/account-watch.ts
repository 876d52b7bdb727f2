// Tells whoever follows all agents of an account of an agent that joins it: made, restored or claimed, on this node or on
// another. Commits name the agents that changed; whose they are is read once for all listeners.
import { agentById } from '../db/queries/agent.ts';
import type { CommitNotice, Store } from '../db/store.ts';

/** Told of an agent of the account that changed, a new one included. */
type Listener = (agent_id: string) => void;

export class AccountWatch {
  readonly #store: Store;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(store: Store) {
    this.#store = store;
    store.onCommit((notice) => this.#look(notice));
  }

  /** Calls the listener from now on; answers what ends it. */
  listen(account_id: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(account_id) ?? new Set();
    this.#listeners.set(account_id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(account_id) === listeners) this.#listeners.delete(account_id);
    };
  }

  #look({ changed }: CommitNotice): void {
    if (this.#listeners.size === 0) return;
    for (const { table, id } of changed) {
      // Who is told too late finds the agent at the next connection.
      if (table === 'agents') this.#tell(id).catch(() => undefined);
    }
  }

  async #tell(agent_id: string): Promise<void> {
    const agent = await this.#store.read(agentById, { id: agent_id });
    if (agent === null || agent.deactivated_at !== null) return;
    for (const listener of this.#listeners.get(agent.account_id) ?? []) listener(agent_id);
  }
}
