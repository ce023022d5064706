interface PageQuery {
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
  readonly "changed-since"?: string | undefined;
}

/** The part of a list's query that passes to the service as it is, with what was not asked for left out. */
export function pageOf({ limit, cursor, "changed-since": changedSince }: PageQuery) {
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(changedSince === undefined ? {} : { "changed-since": changedSince }),
  };
}
