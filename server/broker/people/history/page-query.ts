interface PageQuery {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
  readonly "changed-since"?: string | undefined;
}

/** Picks the part of a list's query that passes to the service unchanged, without absent fields. */
export function pageQueryOf({ limit, cursor, "changed-since": changedSince }: PageQuery) {
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(changedSince === undefined ? {} : { "changed-since": changedSince }),
  };
}
