// How many pushes go to one host at once. A host that is slow fills its own slots and nobody else's; who finds them full
// waits as a key in that host's line, which costs a string.

/** Pushes to one host side by side. */
const PER_HOST = 8;

export class HostSlots {
  readonly #taken = new Map<string, number>();
  readonly #lines = new Map<string, string[]>();

  /** Takes a slot at every host, or none: then `key` stands in line at the first that is full. */
  take(hosts: readonly string[], key: string): boolean {
    const full = hosts.find((host) => (this.#taken.get(host) ?? 0) >= PER_HOST);
    if (full !== undefined) {
      const line = this.#lines.get(full);
      if (line) line.push(key);
      else this.#lines.set(full, [key]);
      return false;
    }
    for (const host of hosts) this.#taken.set(host, (this.#taken.get(host) ?? 0) + 1);
    return true;
  }

  /** Gives the slots back. */
  free(hosts: readonly string[]): void {
    for (const host of hosts) {
      const left = (this.#taken.get(host) ?? 1) - 1;
      if (left === 0) this.#taken.delete(host);
      else this.#taken.set(host, left);
    }
  }

  /** How many stand in lines. */
  waiting(): number {
    let count = 0;
    for (const line of this.#lines.values()) count += line.length;
    return count;
  }

  /** Calls up, out of the lines, as many as there is room for; one who leaves without a slot holds nobody up. */
  ready(): string[] {
    const called: string[] = [];
    for (const [host, line] of this.#lines) {
      const room = PER_HOST - (this.#taken.get(host) ?? 0);
      if (room > 0) called.push(...line.splice(0, room));
      if (line.length === 0) this.#lines.delete(host);
    }
    return called;
  }
}
