// The words of all listings in the index, each with a number and with its count of listings, in all and by card type. It depends only
// on the current content of the index, not on its history.

import { wordRarity } from '../../src/domain/text/signature.ts';
import { grown } from './pool.ts';

/** A word's number shares 32 bits with a weight of 8. Further words are ignored. */
const WORDS_MAX = 2 ** 24;
const FIRST_SLOTS = 1_024;

interface Kind {
  listings: number;
  /** By the word's number. */
  carrying: Uint32Array<ArrayBuffer>;
}

export class Vocabulary {
  /** Open addressing by the low bits of the hash: a word's number plus 1, or 0. */
  #slots = new Uint32Array(FIRST_SLOTS);
  #hashes = new Uint32Array(FIRST_SLOTS);
  #carrying = new Uint32Array(FIRST_SLOTS);
  /** Numbers in use end here, except for those that are free again. */
  #end = 0;
  readonly #free: number[] = [];
  readonly #kinds = new Map<string, Kind>();
  #listings = 0;
  /** Listings that came or went so far: what was worked out at a time is as old as this has moved since. */
  changes = 0;

  /** Numbers of words are below this. */
  get end(): number {
    return this.#end;
  }

  /** Listings with words. */
  get listings(): number {
    return this.#listings;
  }

  /** Distinct words. */
  get size(): number {
    return this.#end - this.#free.length;
  }

  /** A listing of a card type came (1) or went (-1). */
  count(card_type: string, change: 1 | -1): void {
    this.#listings += change;
    this.#kind(card_type).listings += change;
    this.changes += 1;
  }

  /** The number of a word, or -1. */
  find(hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] ?? 0) - 1;
      if (number < 0 || this.#hashes[number] === hash) return number;
    }
  }

  /** Counts a word of a listing and returns its number, or -1 when the vocabulary is full. */
  enter(hash: number, card_type: string): number {
    const known = this.find(hash);
    const number = known >= 0 ? known : this.#add(hash);
    if (number < 0) return -1;
    this.#carrying[number] = (this.#carrying[number] ?? 0) + 1;
    const kind = this.#kind(card_type);
    kind.carrying = grown(kind.carrying, number + 1);
    kind.carrying[number] = (kind.carrying[number] ?? 0) + 1;
    return number;
  }

  /** Reverses `enter`; a word that is in no text any more frees its number. */
  leave(number: number, card_type: string): void {
    const { carrying } = this.#kind(card_type);
    carrying[number] = (carrying[number] ?? 1) - 1;
    const left = (this.#carrying[number] ?? 1) - 1;
    this.#carrying[number] = left;
    if (left === 0) this.#remove(number);
  }

  hashOf(number: number): number {
    return this.#hashes[number] ?? 0;
  }

  /** How rare a word is among all listings, by its number; -1 is in none of them. */
  rarity(number: number): number {
    return wordRarity(number < 0 ? 0 : (this.#carrying[number] ?? 0), this.#listings);
  }

  /** The words in at least this share of a card type's listings, with their shares, by hash. */
  commonWords(card_type: string, least: number): Map<number, number> {
    const common = new Map<number, number>();
    const kind = this.#kinds.get(card_type);
    if (!kind || kind.listings === 0) return common;
    for (let number = 0; number < kind.carrying.length; number += 1) {
      const share = (kind.carrying[number] ?? 0) / kind.listings;
      if (share > 0 && share >= least) common.set(this.hashOf(number), share);
    }
    return common;
  }

  /** Listings of a card type that have words. */
  listingsOf(card_type: string): number {
    return this.#kinds.get(card_type)?.listings ?? 0;
  }

  #kind(card_type: string): Kind {
    const known = this.#kinds.get(card_type);
    if (known) return known;
    const kind = { listings: 0, carrying: new Uint32Array(FIRST_SLOTS) };
    this.#kinds.set(card_type, kind);
    return kind;
  }

  #add(hash: number): number {
    const free = this.#free.pop();
    if (free === undefined && this.#end === WORDS_MAX) return -1;
    const number = free ?? this.#end++;
    this.#hashes = grown(this.#hashes, number + 1);
    this.#carrying = grown(this.#carrying, number + 1);
    this.#hashes[number] = hash;
    this.#carrying[number] = 0;
    // Half of the slots stay free, so that a search ends after a step or two.
    if (this.size * 2 > this.#slots.length) this.#spread(this.#slots.length * 2);
    else this.#put(number);
    return number;
  }

  #put(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.hashOf(number) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
  }

  #spread(slots: number): void {
    const free = new Set(this.#free);
    this.#slots = new Uint32Array(slots);
    for (let number = 0; number < this.#end; number += 1) if (!free.has(number)) this.#put(number);
  }

  #remove(number: number): void {
    const mask = this.#slots.length - 1;
    let gap = this.hashOf(number) & mask;
    while (this.#slots[gap] !== number + 1) gap = (gap + 1) & mask;
    // Later entries of the probe sequence move up, or they would not be found again.
    for (let slot = (gap + 1) & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const home = this.hashOf((this.#slots[slot] ?? 1) - 1) & mask;
      if (((slot - home) & mask) < ((slot - gap) & mask)) continue;
      this.#slots[gap] = this.#slots[slot] ?? 0;
      gap = slot;
    }
    this.#slots[gap] = 0;
    this.#free.push(number);
  }
}
