/** Width of the mark in px, as in the middle of a page that is still empty (`design/base.css`). */
const MARK_PX = 96;

/**
 * Adds the picture that an iPhone shows while the installed app starts: the mark on the ground of the page's theme, as
 * large as the screen. Safari takes it along to the home screen; without one it shows an empty screen.
 */
export async function addStartUpImage(page: Document, { width, height }: Screen, pixelRatio: number): Promise<void> {
  const mark = new Image();
  mark.src = "/icons/mark.svg";
  await mark.decode();
  const size = { width: width * pixelRatio, height: height * pixelRatio };
  const canvas = Object.assign(page.createElement("canvas"), size);
  const paper = canvas.getContext("2d");
  if (paper === null) return;
  paper.scale(pixelRatio, pixelRatio);
  paper.fillStyle = getComputedStyle(page.documentElement).backgroundColor;
  paper.fillRect(0, 0, width, height);
  paper.drawImage(mark, (width - MARK_PX) / 2, (height - MARK_PX) / 2, MARK_PX, MARK_PX);
  const drawn = { rel: "apple-touch-startup-image", href: canvas.toDataURL() };
  const link = Object.assign(page.createElement("link"), drawn);
  page.head.append(link);
}
