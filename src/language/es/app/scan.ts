import type { Translated } from "../../translated.ts";

/** Spanish of the page that reads payment codes. */
export const words = {
  title: "Escanear",
  lead: "Apunta la cámara al código QR",
  starting: "Abriendo la cámara",
  torchOn: "Encender la linterna",
  torchOff: "Apagar la linterna",
  image: "Imagen",
  paste: "Pegar",
  type: "Referencia",
  typeLabel: "Escribe la referencia o pega el código",
  typeHint: "La referencia está debajo del código QR, por ejemplo 7K3M-9QXT-2V4F-W.",
  go: "Continuar",
  several: "Hay varios códigos. ¿A quién le pagas?",
  noCodeInImage: "No encontramos un código QR en la imagen. Prueba con una más nítida o tomada más de cerca.",
  nothingToPaste: "No hay nada copiado. Copia el código o el enlace y vuelve a pegar.",
  pasteDenied: "No pudimos leer lo que copiaste. Pégalo en el campo.",
  readingImage: "Leyendo la imagen",
  zoom: "Zoom",
  chooseCamera: "Elegir la cámara",
  // A camera for which the browser has no name.
  cameraNumber: (number: number) => `Cámara ${number}`,
  camera: {
    refused: {
      title: "La cámara está bloqueada",
      text: "Permítela en los ajustes del navegador, o usa una imagen, pega el código o escribe la referencia.",
    },
    missing: { title: "No hay cámara", text: "Usa una imagen, pega el código o escribe la referencia." },
    busy: {
      title: "Otra app está usando la cámara",
      text: "Ciérrala e intenta de nuevo, o usa una imagen, pega el código o escribe la referencia.",
    },
    insecure: {
      title: "Aquí no se puede usar la cámara",
      text: "Abre Cupo por https. Mientras tanto, usa una imagen, pega el código o escribe la referencia.",
    },
  },
  // The decoder for pictures could not be loaded.
  decoderNotLoaded: {
    title: "No se pudo abrir el lector",
    text: "Revisa tu conexión e intenta de nuevo, o pega el código o escribe la referencia.",
  },
};

/** Texts of the page that reads payment codes. */
export type Words = Translated<typeof words>;
