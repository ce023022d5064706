import * as v from "valibot";
import { nameFault } from "../../name-fault.ts";

/** A name by which people know somebody or something: {@link nameFault} says which texts are none. */
/* @__NO_SIDE_EFFECTS__ */
export function name(maxLength: number) {
  return v.pipe(
    v.string(),
    v.minLength(1, "must not be empty"),
    v.maxLength(maxLength, `must have at most ${maxLength} characters`),
    v.rawCheck(({ dataset, addIssue }) => {
      // A longer text is refused already, and would take its time.
      if (!dataset.typed || dataset.value === "" || dataset.value.length > maxLength) return;
      const fault = nameFault(dataset.value);
      if (fault !== undefined) addIssue({ message: fault });
    }),
    v.description(
      "A name has a letter or a digit and is in Unicode Normalization Form C. It has no character that shows nothing " +
        "(controls, format and tag characters, joiners, variation selectors), and no letters of several scripts, but " +
        "Latin goes with Chinese, Japanese and Korean. It is kept as it was sent.",
    ),
  );
}

/** The name of a user, shop or operator, which people are shown before they pay. */
export const Name = name(200);
