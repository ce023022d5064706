/** The part of `pngjs` that the tests use; the package comes without types. */
declare module "pngjs" {
  export class PNG {
    static readonly sync: {
      read(file: Uint8Array): PNG;
      write(picture: PNG): Buffer;
    };
    readonly width: number;
    readonly height: number;
    readonly data: Buffer;
    constructor(size: { readonly width: number; readonly height: number });
  }
}
