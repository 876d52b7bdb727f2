// A clock that two processes share: CLOCK_MONOTONIC of the kernel. Bun's own clocks count from each process's start.
import { dlopen, FFIType, ptr } from 'bun:ffi';

const CLOCK_MONOTONIC = 1;

const { symbols } = dlopen('libc.so.6', {
  clock_gettime: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
});
const time = new BigInt64Array(2);
const at = ptr(time);

/** Milliseconds since some moment that is the same for every process of this machine. */
export function monotonicMs(): number {
  symbols.clock_gettime(CLOCK_MONOTONIC, at);
  return Number(time[0]) * 1_000 + Number(time[1]) / 1_000_000;
}
