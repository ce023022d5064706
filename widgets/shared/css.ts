/** Where there is no page (plain Node) the elements can still be imported. */
const Sheet = globalThis.CSSStyleSheet ?? class {};

/** Creates a style sheet that all elements of a kind share; a strict CSP admits it, because it is no `<style>`. */
export function css(text: TemplateStringsArray): CSSStyleSheet {
  const sheet = new Sheet();
  sheet.replaceSync?.(text.join(""));
  return sheet;
}
