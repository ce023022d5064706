import { inflateSync } from "node:zlib";

/** The dictionary and the stream of each object of a PDF, by its number. */
interface PdfObject {
  readonly dictionary: string;
  readonly stream: string;
}

const FONT_OF_PAGE = /\/(F\d+) (\d+) 0 R/g;
/** A font that is chosen, and glyphs that are drawn with it, in the order of the page. */
const SHOWN = /\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g;

function objectsOf(pdf: string): Map<string, PdfObject> {
  const objects = new Map<string, PdfObject>();
  for (const [, number = "", body = ""] of pdf.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const start = body.indexOf("stream\n");
    const dictionary = start === -1 ? body : body.slice(0, start);
    const content = start === -1 ? "" : body.slice(start + "stream\n".length, body.lastIndexOf("\nendstream"));
    const isPacked = dictionary.includes("/FlateDecode") && !dictionary.includes("/FontFile");
    const bytes = Buffer.from(content, "latin1");
    objects.set(number, { dictionary, stream: (isPacked ? inflateSync(bytes) : bytes).toString("latin1") });
  }
  return objects;
}

function textOfHex(hex: string): string {
  const units = hex.replaceAll(" ", "").match(/.{4}/g) ?? [];
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16)));
}

/** Returns the text of each glyph of a font, by its `ToUnicode` map. */
function glyphsOf(objects: ReadonlyMap<string, PdfObject>, font: string): Map<string, string> {
  const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font)?.dictionary ?? "")?.[1] ?? "";
  const glyphs = new Map<string, string>();
  const ranges = (objects.get(map)?.stream ?? "").matchAll(/<(\w{4})> <\w{4}> \[([^\]]*)\]/g);
  for (const [, first = "0", texts = ""] of ranges) {
    for (const [index, [, hex = ""]] of [...texts.matchAll(/<([\w ]*)>/g)].entries()) {
      glyphs.set((Number.parseInt(first, 16) + index).toString(16).padStart(4, "0"), textOfHex(hex));
    }
  }
  return glyphs;
}

/** The texts of each page of a PDF with embedded fonts, one for each that was drawn, as a reader would copy them. */
export function readPdfText(pdf: Uint8Array): readonly (readonly string[])[] {
  const objects = objectsOf(Buffer.from(pdf).toString("latin1"));
  const pages = [...objects.values()].filter(({ dictionary }) => /\/Type \/Page\n/.test(dictionary));
  return pages.map(({ dictionary }) => {
    const content = objects.get(/\/Contents (\d+) 0 R/.exec(dictionary)?.[1] ?? "")?.stream ?? "";
    const resources = objects.get(/\/Resources (\d+) 0 R/.exec(dictionary)?.[1] ?? "")?.dictionary ?? "";
    const fonts = new Map(
      [...resources.matchAll(FONT_OF_PAGE)].map(([, name = "", id = ""]) => [name, glyphsOf(objects, id)]),
    );
    let glyphs: ReadonlyMap<string, string> = new Map();
    const texts: string[] = [];
    for (const [, font, shown] of content.matchAll(SHOWN)) {
      if (font !== undefined) glyphs = fonts.get(font) ?? new Map();
      const hex = [...(shown ?? "").matchAll(/<(\w*)>/g)].flatMap(([, text = ""]) => text.match(/.{4}/g) ?? []);
      if (shown !== undefined) texts.push(hex.map((glyph) => glyphs.get(glyph) ?? "\ufffd").join(""));
    }
    return texts;
  });
}
