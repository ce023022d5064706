/** Side at which a drawing without a size of its own is drawn: large enough for every module of version 13. */
const DRAWING_SIDE = 1_024;

function dataUrlOf(file: Blob): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => done(String(reader.result)));
    reader.addEventListener("error", () => failed(reader.error));
    reader.readAsDataURL(file);
  });
}

/** Draws an SVG through an image element; as a `data:` URL, since the page admits no `blob:` images. */
async function drawnByElement(file: Blob): Promise<ImageBitmap> {
  const image = new Image();
  image.src = await dataUrlOf(file);
  await image.decode();
  const scale = DRAWING_SIDE / Math.max(image.naturalWidth, image.naturalHeight, 1);
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(image.naturalWidth * scale) || DRAWING_SIDE;
  canvas.height = Math.round(image.naturalHeight * scale) || DRAWING_SIDE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return createImageBitmap(canvas);
}

/** The picture in an image file of any kind that the browser shows; undefined when it is none. */
export async function pictureOfFile(file: Blob): Promise<ImageBitmap | undefined> {
  try {
    if (file.type !== "image/svg+xml") return await createImageBitmap(file);
    return await drawnByElement(file);
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
