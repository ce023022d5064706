/** Request to the scan worker to read one picture, which is transferred and closed there. */
export interface ScanRequest {
  readonly id: number;
  readonly picture: ImageBitmap;
  /** A frame gets one quick attempt; a file is tried at every size. */
  readonly effort: "frame" | "file";
}

/** The worker's reply to the request with that id. */
export interface ScanReply {
  readonly id: number;
  readonly text?: string;
}
