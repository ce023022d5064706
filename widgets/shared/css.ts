/** Where there is no page (plain Node) the elements can still be imported. */
const Sheet = globalThis.CSSStyleSheet ?? class {};

/** A style sheet that every element of a kind shares; a strict page admits it, because it never was a `<style>`. */
export function css(text: TemplateStringsArray): CSSStyleSheet {
  const sheet = new Sheet();
  sheet.replaceSync?.(text.join(""));
  return sheet;
}
