/**
 * Writes whole seconds as minutes and seconds, `3 minutos`, `1 minuto y 30 segundos` or `30 segundos`, with the given
 * words for minute, second and "and"; their plural takes an s.
 */
export function duration(seconds: number, minute: string, second: string, and: string): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  const parts = [
    ...(minutes > 0 ? [`${minutes} ${minute}${minutes === 1 ? "" : "s"}`] : []),
    ...(rest > 0 ? [`${rest} ${second}${rest === 1 ? "" : "s"}`] : []),
  ];
  return parts.join(` ${and} `);
}
