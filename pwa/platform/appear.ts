/**
 * Lets a new page appear, unless the person wants less motion. A tap reaches the page meanwhile: during a view
 * transition it would reach the root element only, and be lost.
 */
export function appear(page: HTMLElement): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  page.animate({ opacity: [0, 1] }, 180);
}
