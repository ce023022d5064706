/** A row of History: the address of its receipt, and its distance from the top of the screen in px. */
export interface ShownRow {
  readonly link: string | null;
  readonly top: number;
}

/** Runs in the page: returns the row of History in the middle of the screen; undefined while none is there. */
export function middleRow(): ShownRow | undefined {
  const rows = document
    .querySelector("cupo-app")
    ?.shadowRoot?.querySelector("cupo-history-page")
    ?.shadowRoot?.querySelector("cupo-movement-list")
    ?.shadowRoot?.querySelectorAll("a.row");
  const row = [...(rows ?? [])].find((each) => each.getBoundingClientRect().bottom > innerHeight / 2);
  return row && { link: row.getAttribute("href"), top: Math.round(row.getBoundingClientRect().top) };
}
