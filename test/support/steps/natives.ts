// Counts what built-in functions read while steps are counted: a search its distance, a copy its length. Only for the time
// of one synchronous call, since they are everybody's.
import { COUNTER } from './instrument.ts';

type Method = (this: unknown, ...given: unknown[]) => unknown;
type Cost = (self: unknown, given: readonly unknown[], result: unknown) => number;

const lengthOf = (value: unknown): number =>
  typeof value === 'string' || Array.isArray(value)
    ? value.length
    : value instanceof Set || value instanceof Map
      ? value.size
      : 0;

const ownCost: Cost = (self) => lengthOf(self);
const madeCost: Cost = (_self, _given, result) => lengthOf(result);
const bothCost: Cost = (self, _given, result) => lengthOf(self) + lengthOf(result);
/** How far a search went: to what it found, or to the end. */
const soughtCost: Cost = (self, [, from], result) => {
  const start = typeof from === 'number' ? from : 0;
  return typeof result === 'number' && result >= 0 ? Math.abs(result - start) : Math.max(0, lengthOf(self) - start);
};
/** Engines sort each run of combining marks by insertion, which takes the square of its length. */
const sortedCost: Cost = (self) => {
  const runs = `${self}`.normalize('NFD').split(/\P{M}+/u);
  return runs.reduce((steps, run) => steps + run.length ** 2, lengthOf(self));
};

const STRINGS: Readonly<Record<string, Cost>> = {
  ...{ indexOf: soughtCost, includes: soughtCost, lastIndexOf: ownCost },
  ...{ slice: madeCost, substring: madeCost, repeat: madeCost, padStart: madeCost, padEnd: madeCost, concat: madeCost },
  ...{ split: bothCost, replace: bothCost, replaceAll: bothCost, normalize: sortedCost },
  ...{
    toLowerCase: ownCost,
    toUpperCase: ownCost,
    trim: ownCost,
    trimStart: ownCost,
    trimEnd: ownCost,
    isWellFormed: ownCost,
  },
};
const ARRAYS: Readonly<Record<string, Cost>> = {
  ...{ indexOf: soughtCost, includes: soughtCost, lastIndexOf: ownCost },
  ...{ slice: madeCost, splice: ownCost, concat: madeCost, shift: ownCost, unshift: ownCost, reverse: ownCost },
  ...{
    join: bothCost,
    fill: ownCost,
    flat: madeCost,
    sort: ownCost,
    toSorted: ownCost,
    with: ownCost,
    toSpliced: ownCost,
    toReversed: ownCost,
  },
};

/** The subject is read from where the search began to the end of what it found. */
function matchCost(before: number, subject: unknown, found: unknown): number {
  const length = lengthOf(subject);
  if (found === null || !Array.isArray(found)) return Math.max(1, length - before);
  const { index = 0 } = found as RegExpExecArray;
  return Math.max(1, index + lengthOf(found[0]) - before);
}

/** Puts counting around the methods of an object; what is returned takes it off again. */
function wrap(target: object, costs: Readonly<Record<string, Cost>>, add: (steps: () => number) => void): () => void {
  const methods = target as Record<string, Method>;
  const before = Object.keys(costs).map((name) => [name, methods[name]] as const);
  for (const [name, method] of before) {
    const cost = costs[name];
    if (!method || !cost) throw new Error(`there is no ${name}`);
    methods[name] = function counted(...given) {
      const result = Reflect.apply(method, this, given);
      add(() => cost(this, given, result));
      return result;
    };
  }
  return () => {
    for (const [name, method] of before) if (method) methods[name] = method;
  };
}

function wrapExec(add: (steps: () => number) => void): () => void {
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function counted(subject) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = Reflect.apply(exec, this, [subject]) as RegExpExecArray | null;
    // A sticky search looks at its own place only.
    add(() => (found === null && this.sticky ? 1 : matchCost(from, subject, found)));
    return found;
  };
  return () => {
    RegExp.prototype.exec = exec;
  };
}

interface Counter {
  n: number;
  spread: <T>(value: T) => T;
}

/** The counter of all rewritten code in this process. */
const counter: Counter = {
  n: 0,
  spread: (value) => {
    counter.n += lengthOf(value) || (value !== null && typeof value === 'object' ? Object.keys(value).length : 0);
    return value;
  },
};

Object.assign(globalThis, { [COUNTER]: counter });

/** The steps of one synchronous call: of rewritten code, and of the built-in functions that it calls. */
export function stepsOf(run: () => unknown): number {
  // What a step costs is found out by built-in functions too: those are not counted.
  let inside = false;
  const add = (steps: () => number): void => {
    if (inside) return;
    inside = true;
    counter.n += steps();
    inside = false;
  };
  const undo = [wrap(String.prototype, STRINGS, add), wrap(Array.prototype, ARRAYS, add), wrapExec(add)];
  counter.n = 0;
  try {
    run();
    return counter.n;
  } finally {
    for (const restore of undo) restore();
  }
}
