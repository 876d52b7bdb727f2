// Tells the compiler what importing a .md or .yml file `with { type: 'text' }` gives: its text, inside the single binary too.
declare module '*.md' {
  const text: string;

  export { text as default };
}

declare module '*.yml' {
  const text: string;

  export { text as default };
}
