// The facts that a search needs of every row besides its relevance, in flat arrays: reading them from the listings would cause tens of
// thousands of cache misses a search.

/** A number for a text, never 0. Different texts have different ones but for one pair in four thousand million. */
export function markOf(text: string): number {
  let hash = 2_166_136_261;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  return hash >>> 0 || 1;
}

export class Marks {
  #owners = new Uint32Array(64);
  #types = new Uint32Array(64);
  #thresholds = new Float64Array(64);
  #until = new Float64Array(64);

  /** Sets a row's agent and card type, if any, without a threshold. */
  set(row: number, agent_id: string, card_type: string | null): void {
    if (row >= this.#owners.length) this.#grow();
    this.#owners[row] = markOf(agent_id);
    this.#types[row] = card_type === null ? 0 : markOf(card_type);
    this.#until[row] = 0;
  }

  move(from: number, to: number): void {
    this.#owners[to] = this.#owners[from] ?? 0;
    this.#types[to] = this.#types[from] ?? 0;
    this.#thresholds[to] = this.#thresholds[from] ?? 0;
    this.#until[to] = this.#until[from] ?? 0;
  }

  /** Whether a row may be an agent's own. */
  mayBeOwn(row: number, owner: number): boolean {
    return this.#owners[row] === owner;
  }

  /** Whether a row is of a type; one without may be of any. */
  isOfType(row: number, type: number): boolean {
    const own = this.#types[row] ?? 0;
    return own === type || own === 0;
  }

  /** Changes a row's card type and keeps its threshold. */
  setType(row: number, card_type: string | null): void {
    this.#types[row] = card_type === null ? 0 : markOf(card_type);
  }

  setThreshold(row: number, threshold: number, until_ms: number): void {
    this.#thresholds[row] = threshold;
    this.#until[row] = until_ms;
  }

  /** The score that a pair has to beat to be among the best of a row's listing; 0 while that is unknown. */
  thresholdOf(row: number, now_ms: number): number {
    return now_ms < (this.#until[row] ?? 0) ? (this.#thresholds[row] ?? 0) : 0;
  }

  #grow(): void {
    const [owners, types, thresholds, until] = [this.#owners, this.#types, this.#thresholds, this.#until];
    const room = owners.length * 2;
    [this.#owners, this.#types] = [new Uint32Array(room), new Uint32Array(room)];
    [this.#thresholds, this.#until] = [new Float64Array(room), new Float64Array(room)];
    this.#owners.set(owners);
    this.#types.set(types);
    this.#thresholds.set(thresholds);
    this.#until.set(until);
  }
}
