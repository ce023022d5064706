import type { Movement } from "../../src/contract/broker/broker.ts";

/** A row of a list of movements, and where it stands on the screen: so many pixels below its top. */
export interface RowAnchor {
  readonly link: string;
  readonly top: number;
}

/** True if a value, such as one that an earlier version of the app has kept, is an anchor. */
export function isRowAnchor(value: unknown): value is RowAnchor {
  const { link, top } = (value ?? {}) as Partial<Record<keyof RowAnchor, unknown>>;
  return typeof link === "string" && typeof top === "number";
}

/** Returns the first row of a list that is on the screen. */
export function rowOnScreen(list: ParentNode): RowAnchor | undefined {
  for (const row of list.querySelectorAll("a.row")) {
    const { bottom, top } = row.getBoundingClientRect();
    if (bottom > 0) return { link: row.getAttribute("href") ?? "", top };
  }
  return undefined;
}

/**
 * Returns how far the document has to be scrolled for a row to stand where it did, in pixels: the row itself, or its
 * part of the list while that is not drawn; undefined if the list has no such row.
 */
export function scrollTopOf({ link, top }: RowAnchor, list: ParentNode): number | undefined {
  const element = list.querySelector(`a.row[href="${CSS.escape(link)}"]`) ?? partOf(link, list);
  return element ? scrollY + element.getBoundingClientRect().top - top : undefined;
}

function partOf(link: string, list: ParentNode): Element | undefined {
  const parts = [...list.querySelectorAll<Element & { readonly movements?: readonly Movement[] }>(".part")];
  return parts.find(({ movements = [] }) => movements.some(({ id }) => link.endsWith(id)));
}
