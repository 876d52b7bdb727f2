// What of the library is used here; it ships no types.
declare module 'pngjs' {
  interface Picture {
    readonly width: number;
    readonly height: number;
    readonly data: Buffer;
  }

  class PNG implements Picture {
    constructor(options: { readonly width: number; readonly height: number });
    readonly width: number;
    readonly height: number;
    readonly data: Buffer;
    static readonly sync: {
      read(bytes: Buffer): Picture;
      write(picture: Picture): Buffer;
    };
  }

  export { PNG };
}
