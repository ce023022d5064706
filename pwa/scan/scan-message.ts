/** What the page asks of the scan worker: read one picture, which is handed over and closed there. */
export interface ScanRequest {
  readonly id: number;
  readonly picture: ImageBitmap;
  /** A frame gets one quick look; a file is tried at every size. */
  readonly effort: "frame" | "file";
}

/** What the worker answers to each request, in order. */
export interface ScanReply {
  readonly id: number;
  readonly text?: string;
}
