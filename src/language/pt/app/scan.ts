import type { Words } from "../../es/app/scan.ts";

/** Portuguese of the page that reads payment codes. */
export const words: Words = {
  title: "Escanear",
  lead: "Aponte a câmera para o QR Code",
  starting: "Abrindo a câmera",
  torchOn: "Acender a lanterna",
  torchOff: "Apagar a lanterna",
  image: "Imagem",
  paste: "Colar",
  type: "Referência",
  typeLabel: "Digite a referência ou cole o código",
  typeHint: "A referência fica abaixo do QR Code, por exemplo 7K3M-9QXT-2V4F-W.",
  go: "Continuar",
  several: "Há vários códigos. Quem você vai pagar?",
  noCodeInImage: "Não encontramos um QR Code na imagem. Tente outra, mais nítida ou tirada mais de perto.",
  nothingToPaste: "Não há nada copiado. Copie o código ou o link e cole de novo.",
  pasteDenied: "Não conseguimos ler o que você copiou. Cole no campo.",
  readingImage: "Lendo a imagem",
  zoom: "Zoom",
  chooseCamera: "Escolher a câmera",
  cameraNumber: (number) => `Câmera ${number}`,
  camera: {
    refused: {
      title: "A câmera está bloqueada",
      text: "Permita nas configurações do navegador, ou use uma imagem, cole o código ou digite a referência.",
    },
    missing: { title: "Não há câmera", text: "Use uma imagem, cole o código ou digite a referência." },
    busy: {
      title: "Outro app está usando a câmera",
      text: "Feche-o e tente de novo, ou use uma imagem, cole o código ou digite a referência.",
    },
    insecure: {
      title: "Aqui não dá para usar a câmera",
      text: "Abra o Cupo por https. Enquanto isso, use uma imagem, cole o código ou digite a referência.",
    },
  },
  decoderNotLoaded: {
    title: "Não foi possível abrir o leitor",
    text: "Confira sua conexão e tente de novo, ou cole o código ou digite a referência.",
  },
};
