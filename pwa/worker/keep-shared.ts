/** Path to which other apps share a screenshot or a link, by the manifest's `share_target`. */
export const SHARE_PATH = "/share";

/**
 * Content that another app shared: an image, a text, both or neither. The page Scan reads the image, and the text only
 * where there is no image.
 */
export interface Shared {
  readonly image?: Blob;
  readonly text?: string;
}

/** Message by which the page requests the shared content, with a port for the answer. */
export const TAKE_SHARED = "TAKE_SHARED";

/**
 * Holds content that another app shared until the page Scan, which the share opens, has taken it: in memory only, so
 * that nothing of it stays on the device. The browser keeps the worker for half a minute after the share, and the page
 * loads at once.
 */
export class SharedThings {
  #latest: Shared | undefined;

  /** Accepts a share, and redirects the browser to the scanner. */
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

  /** Returns the shared content, once. */
  take(): Shared {
    const latest = this.#latest ?? {};
    this.#latest = undefined;
    return latest;
  }
}
