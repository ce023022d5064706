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
  typeLabel: "Type the reference or paste the code",
  typeHint: "The reference is below the QR code, for example 7K3M-9QXT-2V4F-W.",
  go: "Continue",
  several: "There are several codes. Who are you paying?",
  noCodeInImage: "No QR code was found in the image. Try one that is sharper or closer.",
  nothingToPaste: "Nothing is copied. Copy the code or the link and paste again.",
  pasteDenied: "What you copied could not be read. Paste it into the field.",
  readingImage: "Reading the image",
  zoom: "Zoom",
  chooseCamera: "Choose the camera",
  cameraNumber: (number) => `Camera ${number}`,
  camera: {
    refused: {
      title: "The camera is blocked",
      text: "Allow it in the browser's settings, or use an image, paste the code or type the reference.",
    },
    missing: { title: "There is no camera", text: "Use an image, paste the code or type the reference." },
    busy: {
      title: "Another app is using the camera",
      text: "Close it and try again, or use an image, paste the code or type the reference.",
    },
    insecure: {
      title: "The camera cannot be used here",
      text: "Open Cupo over https. Meanwhile use an image, paste the code or type the reference.",
    },
  },
  decoderNotLoaded: {
    title: "The reader could not be opened",
    text: "Check your connection and try again, or paste the code or type the reference.",
  },
};
