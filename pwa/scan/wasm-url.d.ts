/** The address at which the build serves a file of WebAssembly. */
declare module "*.wasm?url" {
  const url: string;
  export default url;
}
