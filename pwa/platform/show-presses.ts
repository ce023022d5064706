/**
 * Marks the link or button under a finger with the attribute `pressed` for as long as it is held. A browser tells
 * styles of a touch (`:active`) a while later, so that a list does not light up as it is scrolled, and some never do.
 */
export function showPresses(page: EventTarget): void {
  let pressed: Element | undefined;
  const end = (): void => pressed?.removeAttribute("pressed");
  const begin = (event: Event): void => {
    end();
    pressed = event.composedPath().find((at): at is Element => at instanceof Element && at.matches("a, button"));
    pressed?.toggleAttribute("pressed", true);
  };
  page.addEventListener("pointerdown", begin);
  for (const type of ["pointerup", "pointercancel"]) page.addEventListener(type, end);
}
