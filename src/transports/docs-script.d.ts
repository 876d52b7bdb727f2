// The browser script of the API reference, imported as a file: its path in a checkout, a path inside the single binary.
declare module '*/browser/standalone.js' {
  const path: string;

  export { path as default };
}
