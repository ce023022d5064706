import { NoAnswerError } from "../../src/client.ts";
import { ApiError, type ErrorCode, errorCodes } from "../../src/contract/shared/errors.ts";
import type { Language } from "../../src/language/languages.ts";

/** The statement to download: month (`2026-03`), file format, language, and the person that it is about. */
export interface StatementAsked {
  readonly month: string;
  readonly form: "pdf" | "csv";
  readonly language: Language;
  /** The person that the page shows: the broker must not send another person's statement. */
  readonly personId: string | undefined;
}

const TYPES = Object.freeze({ pdf: "application/pdf", csv: "text/csv" });
/** A long month takes the server some seconds. */
const TIMEOUT_MS = 60_000;

async function errorOf(response: Response): Promise<Error> {
  const { code = "" } = (await response.json().catch(() => ({}))) as { readonly code?: string };
  return Object.hasOwn(errorCodes, code)
    ? new ApiError(code as ErrorCode)
    : new Error(`unexpected answer ${response.status}`);
}

/**
 * Fetches a statement's file from the broker. Throws its {@link ApiError}, {@link NoAnswerError} if none came, or a
 * plain error for an answer that names no known code.
 */
export async function fetchStatement(asked: StatementAsked, get: typeof fetch): Promise<Blob> {
  const { form, language, month, personId } = asked;
  const path = `/v1/me/statement?month=${month}&language=${language}`;
  let response: Response;
  let content: Blob;
  try {
    const person = personId === undefined ? {} : { "X-Cupo-Person": personId };
    const headers = { "X-Cupo-Request": "1", Accept: TYPES[form], ...person };
    response = await get(path, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    content = response.ok ? await response.blob() : new Blob();
  } catch (error) {
    throw new NoAnswerError("no answer", { cause: error });
  }
  if (!response.ok) throw await errorOf(response);
  return content;
}

/** Returns the file name of a statement. */
export function statementFileName({ form, month }: Pick<StatementAsked, "form" | "month">): string {
  return `cupo-${month}.${form}`;
}

/**
 * Downloads a file from memory to the device: the browser sends no further request, so that no address carries a
 * secret.
 */
export function keepFile(content: Blob, name: string, document: Document): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads the blob in the next task; a slow one must not find it gone.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * Returns the last `count` months (`2026-03`) in the device's time zone, newest first: this one and those before it.
 */
export function recentMonths(nowMs: number, count: number): readonly string[] {
  const now = new Date(nowMs);
  return Array.from({ length: count }, (_, index) => {
    const month = new Date(now.getFullYear(), now.getMonth() - index, 1);
    return `${month.getFullYear()}-${String(month.getMonth() + 1).padStart(2, "0")}`;
  });
}
