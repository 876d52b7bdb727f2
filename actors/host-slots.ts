// How many calls go to one host at once, whatever they are for. A host that is slow fills its own slots and nobody else's;
// who finds them full waits as a key in that host's line, which costs a few words.

/** Calls to one host side by side. */
export const PER_HOST = 8;

interface Waiting {
  readonly key: string;
  readonly call: Call;
}

/** Called when there is room again; the slots are still to be taken. False when nobody waits under the key any more. */
type Call = (key: string) => boolean;

export class HostSlots {
  readonly #per_host: number;
  readonly #taken = new Map<string, number>();
  readonly #lines = new Map<string, Waiting[]>();

  constructor(per_host = PER_HOST) {
    this.#per_host = per_host;
  }

  /** Takes a slot at every host, or none: then `key` stands in line at the first that is full, until `call` calls it up. */
  take(hosts: readonly string[], key: string, call: Call): boolean {
    const full = hosts.find((host) => this.#roomAt(host) <= 0);
    if (full !== undefined) {
      const line = this.#lines.get(full);
      if (line) line.push({ key, call });
      else this.#lines.set(full, [{ key, call }]);
      // Who leaves without a slot holds nobody up.
      this.#callUp(hosts);
      return false;
    }
    for (const host of hosts) this.#taken.set(host, (this.#taken.get(host) ?? 0) + 1);
    return true;
  }

  /** Gives the slots back, and calls up as many of those in line as there is room for. */
  free(hosts: readonly string[]): void {
    for (const host of hosts) {
      const left = (this.#taken.get(host) ?? 1) - 1;
      if (left === 0) this.#taken.delete(host);
      else this.#taken.set(host, left);
    }
    this.#callUp(hosts);
  }

  /** How many stand in lines. */
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
      // Who has gone takes no slot and gives none back: in its place the next is called, or nobody ever would.
      for (let room = this.#roomAt(host); room > 0; ) {
        const next = line.shift();
        if (!next) break;
        if (next.call(next.key)) room -= 1;
      }
      if (line.length === 0 && this.#lines.get(host) === line) this.#lines.delete(host);
    }
  }
}
