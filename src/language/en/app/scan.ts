import type { Words } from "../../es/app/scan.ts";

/** English of the page that reads payment codes. */
export const words: Words = {
  title: "Scan",
  lead: "Point the camera at the QR code",
  starting: "Opening the camera",
  torchOn: "Turn the torch on",
  torchOff: "Turn the torch off",
  image: "Image",
  paste: "Paste",
  type: "Reference",
  typeLabel: "Enter the reference or paste the code",
  typeHint: "The reference is below the QR code, for example 7K3M-9QXT-2V4F-W.",
  go: "Continue",
  several: "There are several codes. Who are you paying?",
  noCodeInImage: "We couldn't find a QR code in the image. Try a sharper one, or one taken closer up.",
  nothingToPaste: "There's nothing to paste. Copy the code or the link and try again.",
  pasteDenied: "We couldn't read what you copied. Paste it into the field.",
  readingImage: "Reading the image",
  zoom: "Zoom",
  chooseCamera: "Choose the camera",
  cameraNumber: (number) => `Camera ${number}`,
  camera: {
    refused: {
      title: "The camera is blocked",
      text: "Allow it in your browser's settings, or use an image, paste the code or enter the reference.",
    },
    missing: { title: "There's no camera", text: "Use an image, paste the code or enter the reference." },
    busy: {
      title: "Another app is using the camera",
      text: "Close it and try again, or use an image, paste the code or enter the reference.",
    },
    insecure: {
      title: "The camera can't be used here",
      text: "Open Cupo over https. Meanwhile, use an image, paste the code or enter the reference.",
    },
  },
  decoderNotLoaded: {
    title: "The scanner couldn't be opened",
    text: "Check your connection and try again, or paste the code or enter the reference.",
  },
};
