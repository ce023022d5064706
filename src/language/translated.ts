/** The shape that texts give to their translations: the same names, with any texts. */
export type Translated<T> = T extends string
  ? string
  : T extends (...values: infer Values) => infer Text
    ? (...values: Values) => Translated<Text>
    : { readonly [Name in keyof T]: Translated<T[Name]> };
