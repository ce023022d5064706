/** Request to the scan worker to read one picture, which is transferred and closed there. */
export interface ScanRequest {
  readonly id: number;
  readonly picture: ImageBitmap;
  /** A camera frame gets a few quick attempts; an image file gets all, at several sizes. */
  readonly effort: "frame" | "file";
}

/** The worker's reply to the request with that id. */
export interface ScanReply {
  readonly id: number;
  readonly text?: string;
}
