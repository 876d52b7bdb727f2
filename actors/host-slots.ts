// Limits concurrent calls to each host, of all kinds together. A slow host fills only its own slots; a call that finds them
// full waits as a key in that host's queue, which takes a few words of memory.

/** Calls to one host side by side. */
export const PER_HOST = 8;

interface Waiting {
  readonly key: string;
  readonly call: Call;
}

/** Called when there is room again, before the slots are taken. Returns false when the key no longer waits. */
type Call = (key: string) => boolean;

export class HostSlots {
  readonly #per_host: number;
  readonly #taken = new Map<string, number>();
  readonly #lines = new Map<string, Waiting[]>();

  constructor(per_host = PER_HOST) {
    this.#per_host = per_host;
  }

  /** Takes a slot at every host, or none: then `key` waits at the first full one until `call` is called with it. */
  take(hosts: readonly string[], key: string, call: Call): boolean {
    const full = hosts.find((host) => this.#roomAt(host) <= 0);
    if (full !== undefined) {
      const line = this.#lines.get(full);
      if (line) line.push({ key, call });
      else this.#lines.set(full, [{ key, call }]);
      // It takes no slot: call the next keys that wait for these hosts.
      this.#callUp(hosts);
      return false;
    }
    for (const host of hosts) this.#taken.set(host, (this.#taken.get(host) ?? 0) + 1);
    return true;
  }

  /** Frees the slots, and calls as many waiting keys as there is room for. */
  free(hosts: readonly string[]): void {
    for (const host of hosts) {
      const left = (this.#taken.get(host) ?? 1) - 1;
      if (left === 0) this.#taken.delete(host);
      else this.#taken.set(host, left);
    }
    this.#callUp(hosts);
  }

  /** The number of waiting keys. */
  waiting(): number {
    let count = 0;
    for (const line of this.#lines.values()) count += line.length;
    return count;
  }

  #roomAt(host: string): number {
    return this.#per_host - (this.#taken.get(host) ?? 0);
  }

  #callUp(hosts: readonly string[]): void {
    for (const host of hosts) {
      const line = this.#lines.get(host);
      if (!line) continue;
      // A key that has gone takes no slot and will free none, so the next one must be called now.
      for (let room = this.#roomAt(host); room > 0; ) {
        const next = line.shift();
        if (!next) break;
        if (next.call(next.key)) room -= 1;
      }
      if (line.length === 0 && this.#lines.get(host) === line) this.#lines.delete(host);
    }
  }
}
