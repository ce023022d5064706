/** `3 minutos`, `1 minuto y 30 segundos`, `30 segundos`, in a language that makes these plurals with an s. */
export function duration(seconds: number, minute: string, second: string, and: string): string {
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  const parts = [
    ...(minutes > 0 ? [`${minutes} ${minute}${minutes === 1 ? "" : "s"}`] : []),
    ...(rest > 0 ? [`${rest} ${second}${rest === 1 ? "" : "s"}`] : []),
  ];
  return parts.join(` ${and} `);
}
