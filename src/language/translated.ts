/** The type of a translation of given texts: the same keys and functions, with any strings. */
export type Translated<T> = T extends string
  ? string
  : T extends (...values: infer Values) => infer Text
    ? (...values: Values) => Translated<Text>
    : { readonly [Name in keyof T]: Translated<T[Name]> };
