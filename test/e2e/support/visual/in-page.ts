/**
 * Runs in a page: replaces texts that differ from one run to the next (times, days, references, codes) by fixed ones,
 * now and whenever they change, so that two pictures of the same state are the same.
 */
export function freezeTexts(): void {
  const months = "enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre";
  const day = "(?:lun|mar|mié|jue|vie|sáb|dom), \\d{1,2} (?:de )?(?:ene|feb|mar|abr|may|jun|jul|ago|sept?|oct|nov|dic)";
  const rules: readonly (readonly [RegExp, string])[] = [
    [/\b\d{1,2}:\d{2}\s[ap]\.\sm\./g, "10:24\u00a0a.\u00a0m."],
    [/\b\d{1,2}:\d{2}\b/g, "10:24"],
    // At one o'clock Spanish says it in the singular.
    [/\ba la (?=10:24)/g, "a las "],
    [/\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){2}-[0-9A-Z]\b/g, "7K3M-9QXT-2V4F-W"],
    // The app shows the year of a day only if it is not the current one.
    [new RegExp(`\\b${day}(?: (?:de )?\\d{4})?`, "g"), "dom, 21 jun 2026"],
    [new RegExp(`\\b(?:${months}) (?:de )?\\d{4}`, "gi"), "junio de 2026"],
    [/ de \d{4}/g, " de 2026"],
    [/localhost:\d+/g, "localhost:8080"],
    // The id of a server key.
    [/\b[0-9a-f]{8}(?= \()/g, "9f86d081"],
  ];
  const freeze = (node: Node): void => {
    if (node instanceof HTMLElement && node.matches("input, textarea")) node.style.caretColor = "transparent";
    if (node instanceof SVGElement && node.matches("svg[role=img] *")) node.style.visibility = "hidden";
    if (node instanceof HTMLVideoElement) node.style.visibility = "hidden";
    if (!(node instanceof Text) || node.parentElement?.localName === "style") return;
    let text = node.data;
    for (const [pattern, frozen] of rules) text = text.replace(pattern, frozen);
    if (node.parentElement?.closest(".code, .digits")) text = text.replace(/[0-9A-Z]/g, "7");
    if (text !== node.data) node.data = text;
  };
  const frozen = new WeakSet<Node>();
  const visit = (root: Node): void => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node: Node | null = root; node !== null; node = walker.nextNode()) {
      freeze(node);
      if (node instanceof Element && node.shadowRoot !== null) watch(node.shadowRoot);
    }
  };
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes, target } of changes) for (const node of [target, ...addedNodes]) visit(node);
  });
  const watch = (root: Node): void => {
    if (!frozen.has(root)) observer.observe(root, { characterData: true, childList: true, subtree: true });
    frozen.add(root);
    visit(root);
  };
  watch(document);
}

/** Runs in a page: true if no part of it is still loading. */
export function isSettled(): boolean {
  const isBusy = (root: ParentNode): boolean =>
    root.querySelector("[aria-busy=true], .blank") !== null ||
    [...root.querySelectorAll("*")].some(({ shadowRoot }) => shadowRoot !== null && isBusy(shadowRoot));
  return !isBusy(document);
}

/** Runs in a page: every element of it that reaches past the page's edge, unless it scrolls within its own place. */
export function overTheEdge(): readonly string[] {
  const found: string[] = [];
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} wide`);
  const visit = (root: ParentNode): void => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot !== null) visit(element.shadowRoot);
      const own = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== "");
      const clips = getComputedStyle(element).overflowX !== "visible";
      if (own && !clips && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1) {
        found.push(`${element.localName} is narrower than its text: ${element.textContent?.trim()}`);
      }
      const { left, right, width } = element.getBoundingClientRect();
      if (width <= 1 || (left > -1 && right < clientWidth + 1)) continue;
      if (element.closest(".visually-hidden") === null && element.checkVisibility()) {
        found.push(
          `${element.localName}.${element.className} from ${left} to ${right}: ${element.textContent?.trim()}`,
        );
      }
    }
  };
  visit(document);
  return found;
}

/** Runs in a page: the fields of text and choices, in shadow roots too, whose letters are smaller than so many px. */
export function fieldsBelow(least: number): readonly string[] {
  const found: string[] = [];
  const visit = (root: ParentNode): void => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot !== null) visit(element.shadowRoot);
      if (!element.matches("textarea, select, input:not([type=radio], [type=checkbox], [type=range], [type=file])"))
        continue;
      const size = Number.parseFloat(getComputedStyle(element).fontSize);
      if (size < least) found.push(`${element.localName} ${element.id} has letters of ${size} px`);
    }
  };
  visit(document);
  return found;
}

/** Runs in a page: top, height and size of the name in its head; undefined where it has no head. */
export function titlePlace(): string | undefined {
  const page = document.querySelector("cupo-app")?.shadowRoot?.querySelector("main > *");
  const title = page?.shadowRoot?.querySelector("header :is(h1, p)");
  if (!title) return undefined;
  const line = document.createRange();
  line.selectNodeContents(title);
  const { height, top } = line.getBoundingClientRect();
  return `${top + scrollY} px from the top, ${height} px high, letters of ${getComputedStyle(title).fontSize}`;
}

/** Runs in a page: how wide its fonts draw a few letters. Another machine's fonts draw them otherwise. */
export function fontWidths(): string {
  const paper = document.createElement("canvas").getContext("2d");
  if (paper === null) throw new Error("no canvas");
  const { fontFamily } = getComputedStyle(document.documentElement);
  const fonts = [`400 17px ${fontFamily}`, `650 34px ${fontFamily}`, "400 17px ui-monospace, monospace"];
  const widths = fonts.map((font) => {
    paper.font = font;
    return paper.measureText("Cupo $ 1.234.567,89 áéíñç WMiljgq").width.toFixed(3);
  });
  return widths.join(" ");
}
