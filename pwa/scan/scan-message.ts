/** Request to the scan worker to read one picture, which is transferred and closed there. */
export interface ScanRequest {
  readonly id: number;
  readonly picture: ImageBitmap;
  /** A camera frame gets a few quick attempts; an image file gets all, at several sizes. */
  readonly effort: "frame" | "file";
  /** Part of the text of every wanted code; other codes are reported only where none is found. */
  readonly wanted: string;
}

/** The worker's reply to the request with that id. */
export interface ScanReply {
  readonly id: number;
  /** The texts of the codes in the picture, each once. */
  readonly texts: readonly string[];
}
