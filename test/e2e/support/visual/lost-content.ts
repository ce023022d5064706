/** A line of a page's text, with its box in CSS pixels. */
interface TextLine {
  readonly text: string;
  /** Number of the text that it is a line of. */
  readonly textNumber: number;
  readonly box: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  /** True if an element around it cuts it off. */
  readonly isCut: boolean;
  /** True if it stays over the page while that scrolls. */
  readonly floats: boolean;
  /** Height of its letters in CSS pixels. */
  readonly size: number;
}

/** Runs in a page: every line of its texts, without what only screen readers read. */
export function textLines(): readonly TextLine[] {
  const above = (node: Node): Element | null =>
    node.parentElement ?? (node.parentNode instanceof ShadowRoot ? node.parentNode.host : null);
  const around = (node: Node): Element[] => {
    const parent = above(node);
    return parent === null ? [] : [parent, ...around(parent)];
  };
  const cuts = (element: Element, box: DOMRect): boolean => {
    const { overflowX, overflowY } = getComputedStyle(element);
    const { left, right, top, bottom } = element.getBoundingClientRect();
    // A font's box is higher than its letters.
    const spare = box.height / 4;
    return (
      (/hidden|clip/.test(overflowX) && (box.left < left - 1 || box.right > right + 1)) ||
      (/hidden|clip/.test(overflowY) && (box.top < top - spare || box.bottom > bottom + spare))
    );
  };
  const lines: TextLine[] = [];
  const take = (node: Text, textNumber: number): void => {
    const elements = around(node);
    const isRead = !elements.some((element) => element.matches("style, option, .visually-hidden, .unseen, .skip"));
    if (!isRead || elements[0]?.checkVisibility() !== true) return;
    const floats = elements.some((element) => /fixed|sticky/.test(getComputedStyle(element).position));
    const size = Number.parseFloat(getComputedStyle(elements[0]).fontSize);
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      if (rect.width <= 1) continue;
      const { left, right, top, bottom } = rect;
      const isCut = elements.some((element) => cuts(element, rect));
      lines.push({ text: node.data.trim(), textNumber, box: { left, right, top, bottom }, isCut, floats, size });
    }
  };
  let texts = 0;
  const visit = (root: Node): void => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node: Node | null = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Element && node.shadowRoot !== null) visit(node.shadowRoot);
      if (node instanceof Text && node.data.trim() !== "") take(node, texts++);
    }
  };
  visit(document.body);
  return lines;
}

/**
 * Returns a sentence for each text that did not become twice as large, nor as large as body text did, where letters
 * became twice as large as `before`.
 */
export function textsLeftSmall(
  before: readonly TextLine[],
  after: readonly TextLine[],
  body: number,
): readonly string[] {
  // The seconds of a countdown differ.
  const keyOf = ({ text, textNumber }: TextLine): string => `${textNumber} ${text.replace(/\d/g, "0")}`;
  const sizes = new Map(before.map((line) => [keyOf(line), line.size]));
  return after.flatMap((line) => {
    const { size, text } = line;
    const usual = sizes.get(keyOf(line)) ?? Number.NaN;
    return size >= Math.min(2 * usual, body) ? [] : [`${text}: ${usual} px became ${size} px`];
  });
}

function overlap({ box: one }: TextLine, { box: other }: TextLine): boolean {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 2 && height > Math.min(one.bottom - one.top, other.bottom - other.top) / 2;
}

/** Returns a sentence for each text of a page that is cut off, or that stands over another. */
export function lostTexts(lines: readonly TextLine[]): readonly string[] {
  const still = lines.filter(({ floats }) => !floats);
  return [
    ...lines.filter(({ isCut }) => isCut).map(({ text }) => `cut off: ${text}`),
    ...still.flatMap((line, index) =>
      still
        .slice(index + 1)
        .filter((other) => other.textNumber !== line.textNumber && overlap(line, other))
        .map((other) => `one over the other: ${line.text}, ${other.text}`),
    ),
  ];
}

/**
 * Runs in a page: gives the focus to each control, as Tab does from its top and Shift and Tab from its end; returns a
 * sentence for each that is then out of view, or behind something that floats over the page, such as the tab bar or the
 * day of a list.
 */
export async function hiddenControls(): Promise<readonly string[]> {
  const CONTROLS = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary";
  const controlsIn = (root: ParentNode): HTMLElement[] =>
    [...root.querySelectorAll<HTMLElement>("*")].flatMap((element) => [
      ...(element.matches(CONTROLS) && element.checkVisibility({ visibilityProperty: true }) ? [element] : []),
      ...(element.shadowRoot === null ? [] : controlsIn(element.shadowRoot)),
    ]);
  const at = (x: number, y: number, root: DocumentOrShadowRoot): Element | null => {
    const hit = root.elementFromPoint(x, y);
    return hit?.shadowRoot && hit !== (root as Partial<ShadowRoot>).host ? (at(x, y, hit.shadowRoot) ?? hit) : hit;
  };
  const found: string[] = [];
  const end = document.documentElement.scrollHeight;
  const ways = [0, end].flatMap((start) => controlsIn(document).map((control) => ({ control, start })));
  for (const { control, start } of ways) {
    scrollTo(0, start);
    control.focus();
    await new Promise(requestAnimationFrame);
    const { left, top, width, height } = control.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = at(x, y, document);
    const own = control.closest("label") ?? control;
    if (hit !== null && (own.contains(hit) || hit.contains(own))) continue;
    const name = control.getAttribute("aria-label") ?? control.textContent?.trim();
    found.push(`${control.localName} ${name} at ${Math.round(x)}, ${Math.round(y)} is under ${hit?.className}`);
  }
  return found;
}
