// Tells the streams that follow all agents of an account of each agent that joins it (created, restored or claimed), on this node
// or another. Commits name the changed agents; their account is read once for all listeners.
import { agentById } from '../db/queries/agent.ts';
import type { CommitNotice, Store } from '../db/store.ts';

/** Called with a changed or new agent of the account. */
type Listener = (agent_id: string) => void;

export class AccountWatch {
  readonly #store: Store;
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(store: Store) {
    this.#store = store;
    store.onCommit((notice) => this.#look(notice));
  }

  /** Calls the listener from now on; returns the function that ends it. */
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
      // After a failed read the listener finds the agent at its next connection.
      if (table === 'agents') this.#tell(id).catch(() => undefined);
    }
  }

  async #tell(agent_id: string): Promise<void> {
    const agent = await this.#store.read(agentById, { id: agent_id });
    if (agent === null || agent.deactivated_at !== null) return;
    for (const listener of this.#listeners.get(agent.account_id) ?? []) listener(agent_id);
  }
}
