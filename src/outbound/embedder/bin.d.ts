// Tells the compiler what importing a .bin or .txt file `with { type: 'file' }` gives: the path to read it at, which also holds
// inside the single binary.
declare module '*.bin' {
  const path: string;

  export { path as default };
}

declare module '*.txt' {
  const path: string;

  export { path as default };
}
