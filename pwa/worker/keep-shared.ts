/** Where other apps share a screenshot or a link to, by the manifest's `share_target`. */
export const SHARE_PATH = "/share";

/** What was shared, as the page gets it. */
export interface Shared {
  readonly image?: Blob;
  readonly text?: string;
}

/** The page asks for what was shared with this message, and a port for the answer. */
export const TAKE_SHARED = "TAKE_SHARED";

/**
 * Holds what was shared until the page that it opens has taken it: in memory only, so that nothing of it stays on the
 * device. The browser keeps the worker for half a minute after the share, and the page comes at once.
 */
export class SharedThings {
  #latest: Shared | undefined;

  /** Takes the share in, and sends the browser to the scanner. */
  async receive(request: Request): Promise<Response> {
    const form = await request.formData();
    const image = form.get("image");
    const text = ["text", "url", "title"]
      .map((name) => form.get(name))
      .find((value) => typeof value === "string" && value);
    this.#latest = {
      ...(image instanceof Blob && image.size > 0 ? { image } : {}),
      ...(typeof text === "string" ? { text } : {}),
    };
    return Response.redirect("/scan#shared", 303);
  }

  /** Hands it over, once. */
  take(): Shared {
    const latest = this.#latest ?? {};
    this.#latest = undefined;
    return latest;
  }
}
