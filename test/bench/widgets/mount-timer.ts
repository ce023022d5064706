import type { Page } from "playwright-core";

/** The element that is mounted: as it ships, or the least that asks the broker the same and shows a text. */
export type Mounted = "pay-qr" | "plain-text";

/** Milliseconds from putting an element on a page. */
export interface MountTimes {
  /** Until its content is in the document. */
  readonly drawnMs: number;
  /** Until the browser has painted it. */
  readonly shownMs: number;
}

/** Defines the element that is measured against: one request, one text, no library. */
export async function definePlainText(page: Page, session: string): Promise<void> {
  await page.evaluate((token) => {
    class PlainText extends HTMLElement {
      async connectedCallback(): Promise<void> {
        const headers = { accept: "application/json", authorization: `Bearer ${token}` };
        const answer = await fetch("/v1/session", { headers, cache: "no-store", credentials: "omit" });
        this.textContent = (await answer.json()).payload;
      }
    }
    customElements.define("plain-text", PlainText);
  }, session);
}

/** Puts so many elements on the page, one after the other, each until it is painted; takes each off again. */
export function mount(page: Page, mounted: Mounted, session: string, times: number): Promise<readonly MountTimes[]> {
  return page.evaluate(
    async ({ name, token, count }) => {
      const isDrawn = (element: Element): boolean => {
        if (element.shadowRoot === null) return element.textContent !== "";
        return Boolean(element.shadowRoot.querySelector("svg[part=qr] path")?.getAttribute("d"));
      };
      const drawn = (element: Element): Promise<void> =>
        new Promise((resolve) => {
          const observer = new MutationObserver(() => {
            if (!isDrawn(element)) return;
            observer.disconnect();
            resolve();
          });
          observer.observe(element.shadowRoot ?? element, { childList: true, subtree: true });
        });
      const painted = (): Promise<void> =>
        new Promise((resolve) => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            port1.close();
            resolve();
          };
          // A task that a frame's callback asks for runs once that frame is painted.
          requestAnimationFrame(() => port2.postMessage(undefined));
        });
      const results: { drawnMs: number; shownMs: number }[] = [];
      await customElements.whenDefined(name);
      for (let left = count; left > 0; left--) {
        const startedAt = performance.now();
        const element = Object.assign(document.createElement(name), {
          fetchSession: async () => ({ session: token }),
        });
        document.body.append(element);
        await drawn(element);
        const drawnMs = performance.now() - startedAt;
        await painted();
        results.push({ drawnMs, shownMs: performance.now() - startedAt });
        element.remove();
      }
      return results;
    },
    { name: mounted, token: session, count: times },
  );
}
