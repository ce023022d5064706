/** Resolves when a video shows another frame, or at the next repaint where the browser does not report frames. */
export function nextFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((done) => {
    if ("requestVideoFrameCallback" in video) video.requestVideoFrameCallback(() => done());
    else requestAnimationFrame(() => done());
  });
}
