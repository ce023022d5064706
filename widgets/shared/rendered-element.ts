import { type PropertyDeclaration, type PropertyDeclarations, render, type TemplateResult } from "lit";

/** Where there is no page (plain Node) the elements can still be imported. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** The properties of an element by their names, those of the classes above it included. */
function propertiesOf(element: typeof RenderedElement): PropertyDeclarations {
  const above = Object.getPrototypeOf(element) as typeof RenderedElement;
  return element === RenderedElement ? {} : { ...propertiesOf(above), ...element.properties };
}

function attributeOf(name: string, { attribute }: PropertyDeclaration): string {
  return attribute === undefined ? name.toLowerCase() : String(attribute);
}

/**
 * An element that renders once after any of its properties has changed: as much of LitElement as the elements use, by
 * the same names, in a quarter of the size. It renders with lit-html into an open shadow root.
 */
export abstract class RenderedElement extends Base {
  /** Of each: `attribute` (its name, or `false` for none) and `type` (`Boolean`, `Number`, else text). */
  static readonly properties: PropertyDeclarations = {};
  static readonly styles: CSSStyleSheet[] = [];

  /** True once the element has been rendered. */
  hasUpdated = false;
  #root: ShadowRoot | undefined;
  #updated: Promise<void> | undefined;
  #changed = new Set<string>();
  readonly #values = new Map<string, unknown>();
  readonly #early: Record<string, unknown> = {};

  /** The browser asks once, before the first element of the kind is made. */
  static get observedAttributes(): string[] {
    // biome-ignore lint/complexity/noThisInStatic: the class that is defined, which is one below this one
    const properties = Object.entries(propertiesOf(this));
    for (const [name] of properties) {
      // biome-ignore lint/complexity/noThisInStatic: the class that is defined as well
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: true,
        get(this: RenderedElement) {
          return this.#values.get(name);
        },
        set(this: RenderedElement, value: unknown) {
          this.#set(name, value);
        },
      });
    }
    const shown = properties.filter(([, { attribute }]) => attribute !== false);
    return shown.map(([name, declaration]) => attributeOf(name, declaration));
  }

  constructor() {
    super();
    // Values that a page set before the script loaded would hide the accessors, and are set again through them.
    for (const name of Object.keys(this.#properties)) {
      if (!Object.hasOwn(this, name)) continue;
      this.#early[name] = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
    }
  }

  /** Resolves when all changes so far are rendered. */
  get updateComplete(): Promise<void> {
    return this.#updated ?? Promise.resolve();
  }

  /** Schedules a render. */
  requestUpdate(): void {
    if (this.#root === undefined) return;
    this.#updated ??= Promise.resolve().then(() => this.#update());
  }

  connectedCallback(): void {
    if (this.#root !== undefined) return;
    this.#root = this.attachShadow({ mode: "open" });
    this.#root.adoptedStyleSheets = (this.constructor as typeof RenderedElement).styles;
    Object.assign(this, this.#early);
    this.requestUpdate();
  }

  attributeChangedCallback(attribute: string, _before: string | null, text: string | null): void {
    for (const [name, declaration] of Object.entries(this.#properties)) {
      if (attributeOf(name, declaration) === attribute) this.#set(name, readAttribute(text, declaration));
    }
  }

  /** Runs before each render, with the names of the changed properties. */
  protected abstract willUpdate(changed: ReadonlySet<string>): void;

  /** Returns the content of the shadow root. */
  protected abstract render(): TemplateResult;

  /** Runs after the first render. */
  protected abstract firstUpdated(): void;

  /** Runs after each render. */
  protected abstract updated(): void;

  get #properties(): PropertyDeclarations {
    return propertiesOf(this.constructor as typeof RenderedElement);
  }

  #set(name: string, value: unknown): void {
    if (Object.is(this.#values.get(name), value)) return;
    this.#values.set(name, value);
    this.#changed.add(name);
    this.requestUpdate();
  }

  #update(): void {
    try {
      this.willUpdate(this.#changed);
      render(this.render(), this.#root as ShadowRoot);
    } finally {
      this.#changed = new Set();
      this.#updated = undefined;
    }
    if (!this.hasUpdated) {
      this.hasUpdated = true;
      this.firstUpdated();
    }
    this.updated();
  }
}

function readAttribute(text: string | null, { type }: PropertyDeclaration): unknown {
  if (type === Boolean) return text !== null;
  return type === Number && text !== null ? Number(text) : text;
}
