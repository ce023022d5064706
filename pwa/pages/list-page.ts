import { html, nothing, type TemplateResult } from "lit";
import { formatWith } from "../../src/time-format.ts";
import type { MovementList } from "../components/movement-list.ts";
import { noticeStyles } from "../components/notice.ts";
import { Nicknames } from "../contacts/nicknames.ts";
import { Page } from "../context/page.ts";
import { choicesStyles } from "../design/choices.ts";
import { base, controls } from "../design/styles.ts";
import { formatByKept } from "../format/kept-formatters.ts";
import type { Sentence } from "../language/words.ts";
import { filterBar } from "../lists/filter-bar.ts";
import { KnownMovements, type Shown } from "../lists/known-movements.ts";
import { listBody } from "../lists/list-body.ts";
import { listHead } from "../lists/list-head.ts";
import { everything, FittingMovements, isEverything, isFilter, type MovementFilter } from "../lists/movement-search.ts";
import { isRowAnchor, type RowAnchor, rowOnScreen, scrollTopOf } from "../lists/row-anchor.ts";
import { listStyles } from "./list-styles.ts";

/** The choices of a person in a list. */
interface Choices {
  readonly filter: MovementFilter;
  readonly open: boolean;
  /** The row at the top of the screen. */
  readonly row?: RowAnchor | undefined;
}

/**
 * Base class of the pages that list movements: with search and filters, from the replica on this device, which a sync
 * with the broker refreshes.
 */
export abstract class ListPage extends Page {
  static override properties = { ...Page.properties, filter: { state: true }, open: { state: true } };

  declare filter: MovementFilter;
  /** True while kind and month are shown. */
  declare open: boolean;
  readonly #fitting = new FittingMovements();
  #known: KnownMovements | undefined;
  #leftRow: RowAnchor | undefined;

  static override styles = [base, controls, choicesStyles, noticeStyles, listStyles];

  constructor() {
    super();
    formatWith(formatByKept);
    this.filter = everything;
    this.open = false;
    new Nicknames(this, () => this.context);
  }

  override get choices(): unknown {
    const rows = this.#rows;
    return { filter: this.filter, open: this.open, row: rows ? rowOnScreen(rows) : undefined } satisfies Choices;
  }

  override set choices(choices: unknown) {
    const { filter, open, row } = (choices ?? {}) as Partial<Choices>;
    if (isRowAnchor(row)) this.#leftRow = row;
    // An earlier version of the app may have kept something else.
    if (!isFilter(filter)) return;
    this.filter = isEverything(filter) ? everything : filter;
    this.open = open === true;
  }

  /** Distance to where the list was left, by the row that was at the top of the screen. */
  get leftAt(): number | undefined {
    const [rows, row] = [this.#rows, this.#leftRow];
    return rows && row ? scrollTopOf(row, rows) : undefined;
  }

  get #rows(): ParentNode | null | undefined {
    return this.renderRoot.querySelector("cupo-movement-list")?.shadowRoot;
  }

  /** Which movements the list is about. */
  protected abstract get shown(): Shown;

  /** The notice while there is no movement yet. */
  protected abstract get empty(): { readonly sentence: Sentence; readonly way?: unknown };

  /** Returns the text of a day's total, where the list has totals. */
  protected readonly totalOf: MovementList["totalOf"];

  /** Renders the page's own action, beside its name. */
  protected action(): unknown {
    return "";
  }

  /** Renders ways to what belongs to the list, between its name and the search. */
  protected ways(): unknown {
    return "";
  }

  /** Renders further filters, between the search and the list. */
  protected filters(): unknown {
    return "";
  }

  override connectedCallback(): void {
    this.#known ??= new KnownMovements(this, this.context.store, this.shown);
    super.connectedCallback();
  }

  override render(): TemplateResult {
    const { filter, open } = this;
    const { words } = this.context;
    const known = this.#known?.movements;
    const fitting = known === undefined ? [] : this.#fitting.of(known, filter);
    const onClear = (): void => this.narrow(everything);
    const onOpen = (): void => this.#turn();
    const onChange = (change: Partial<MovementFilter>): void => this.narrow(change);
    return html`${listHead(this.name, this.context, this.action())} ${this.ways()}
      ${filterBar({ filter, known: known ?? [], open, onOpen, onChange }, words)} ${this.filters()}
      ${fitting.length === 0 ? nothing : html`<button class="skip" @click=${this.#skip}>${words.list.skip}</button>`}
      <p class="visually-hidden" role="status">${filter === everything ? "" : words.search.found(fitting.length)}</p>
      ${listBody({ known, fitting, empty: this.empty, onClear, totalOf: this.totalOf }, this.context)}`;
  }

  /** Moves the focus behind the list, to the tab bar. */
  #skip(): void {
    (this.getRootNode() as ParentNode).querySelector("cupo-tab-bar")?.focus();
  }

  /** Changes the filter. */
  protected narrow(change: Partial<MovementFilter>): void {
    this.filter = change === everything ? everything : { ...this.filter, ...change };
  }

  #turn(): void {
    this.open = !this.open;
  }
}
