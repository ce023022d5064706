const BROWSERS = [
  ["Edge", /Edg(?:A|iOS)?\//],
  ["Opera", /OPR\//],
  ["Samsung Internet", /SamsungBrowser\//],
  ["Firefox", /(?:Firefox|FxiOS)\//],
  ["Chrome", /(?:Chrome|CriOS)\//],
  ["Safari", /Safari\//],
] as const;

const SYSTEMS = [
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["Android", /Android/],
  ["Windows", /Windows/],
  ["ChromeOS", /CrOS/],
  ["Mac", /Macintosh/],
  ["Linux", /Linux/],
] as const;

/**
 * Suggests a name for the device of a `User-Agent`, such as `Chrome, Android`; `Cupo` where it knows neither browser
 * nor system. The person may change it.
 */
export function deviceNameOf(userAgent: string): string {
  const found = [BROWSERS, SYSTEMS].flatMap((known) => known.find(([, sign]) => sign.test(userAgent))?.[0] ?? []);
  return found.join(", ") || "Cupo";
}
