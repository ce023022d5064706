/** Says to whoever runs Cupo why the embedded database cannot start, and what to do. */
export class LaunchError extends Error {
  override readonly name = "LaunchError";
}
