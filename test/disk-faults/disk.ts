// A disk, as the entries of a recorder leave it: of each file what was synced, and what may be there beside it.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Entry } from './recorder.ts';

const SECTOR = 512;
const FILES = /^meshwork\.db(-wal|-mark)?$/;

/** What a loss of power leaves of the writes that no sync has waited for. */
export type Loss = 'nothing' | 'everything' | 'chance';

class Content {
  bytes = new Uint8Array(1 << 16);
  size = 0;
  there = false;

  apply({ kind, offset, data }: Pick<Entry, 'kind' | 'offset' | 'data'>): void {
    this.there = kind !== 'unlink';
    if (kind === 'write') this.#write(offset, data);
    else this.#resize(kind === 'unlink' ? 0 : offset);
  }

  #write(offset: number, data: Uint8Array): void {
    this.#resize(Math.max(this.size, offset + data.length));
    this.bytes.set(data, offset);
  }

  #resize(size: number): void {
    if (size > this.bytes.length) {
      const wider = new Uint8Array(2 * size);
      wider.set(this.bytes.subarray(0, this.size));
      this.bytes = wider;
    }
    if (size < this.size) this.bytes.fill(0, size, this.size);
    this.size = size;
  }

  copy(): Content {
    const copy = new Content();
    copy.bytes = this.bytes.slice(0, Math.max(this.size, 1));
    [copy.size, copy.there] = [this.size, this.there];
    return copy;
  }
}

/** One write as chance leaves it: all of it, nothing, or the sectors up to one. */
function partOf(entry: Entry, random: () => number): Entry | null {
  const chance = random();
  if (chance < 0.4) return entry;
  if (chance < 0.8 || entry.kind !== 'write') return null;
  return { ...entry, data: entry.data.subarray(0, SECTOR * Math.floor((random() * entry.data.length) / SECTOR)) };
}

class StoredFile {
  readonly synced = new Content();
  pending: Entry[] = [];

  take(entry: Entry): void {
    if (entry.kind !== 'sync') this.pending.push(entry);
    else {
      // The system takes what it could not write for written.
      if (entry.error === 0) for (const each of this.pending) this.synced.apply(each);
      this.pending = [];
    }
  }

  after(loss: Loss, random: () => number): Content {
    if (loss === 'everything' || this.pending.length === 0) return this.synced;
    const content = this.synced.copy();
    for (const entry of this.pending) {
      const left = loss === 'nothing' ? entry : partOf(entry, random);
      if (left) content.apply(left);
    }
    return content;
  }
}

export class Disk {
  readonly #files = new Map<string, StoredFile>();

  /** Takes the files of a folder for synced. */
  load(folder: string): void {
    for (const name of readdirSync(folder)) {
      this.take({ kind: 'write', error: 0, offset: 0, name, data: readFileSync(join(folder, name)) });
      this.take({ kind: 'sync', error: 0, offset: 0, name, data: new Uint8Array() });
    }
  }

  take(entry: Entry): void {
    if (!FILES.test(entry.name)) return;
    const file = this.#files.get(entry.name) ?? new StoredFile();
    this.#files.set(entry.name, file);
    file.take(entry);
  }

  /** Writes the files as they are after a loss of power, or with `nothing` lost after a kill. */
  leave(folder: string, loss: Loss, random: () => number): void {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [name, file] of this.#files) {
      const { there, bytes, size } = file.after(loss, random);
      if (there) writeFileSync(join(folder, name), bytes.subarray(0, size));
    }
  }
}
