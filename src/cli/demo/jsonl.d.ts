// Tells the compiler what importing a .jsonl file `with { type: 'text' }` gives: its text, inside the single binary too.
declare module '*.jsonl' {
  const text: string;

  export { text as default };
}
