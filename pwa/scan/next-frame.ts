/** Resolves when a video shows another frame, or where the browser does not tell, when the screen does. */
export function nextFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((done) => {
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(() => done());
    else requestAnimationFrame(() => done());
  });
}
