/** Browsers by their brands in `Sec-CH-UA`; the first match wins, because most also name Chromium. */
const BRANDS: readonly (readonly [brand: string, name: string])[] = [
  ["Microsoft Edge", "Edge"],
  ["Opera", "Opera"],
  ["Samsung Internet", "Samsung Internet"],
  ["Brave", "Brave"],
  ["Google Chrome", "Chrome"],
  ["Chromium", "Chromium"],
];

/** Browsers by what they put into `User-Agent`; those that also say Chrome or Safari come before these. */
const AGENTS: readonly (readonly [form: RegExp, name: string])[] = [
  [/Edg(?:A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/(?:Firefox|FxiOS)\//, "Firefox"],
  [/(?:Chrome|CriOS)\//, "Chrome"],
  [/Version\/.*Safari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [form: RegExp, name: string])[] = [
  [/Android/, "Android"],
  [/iPhone|iPad|iOS/, "iOS"],
  [/Windows/, "Windows"],
  [/CrOS|Chrom(?:e|ium) OS/, "ChromeOS"],
  [/Mac ?OS/i, "macOS"],
  [/Linux/, "Linux"],
];

/**
 * Returns the name of the browser that sent a request and of its system, such as `Chrome, Android`, so that people know
 * their sessions apart. Only names that are known here are returned, never text of the headers; undefined where none is
 * recognised.
 */
export function browserLabel(headers: Headers): string | undefined {
  const agent = headers.get("user-agent") ?? "";
  const brands = headers.get("sec-ch-ua") ?? "";
  const branded = BRANDS.find(([brand]) => brands.includes(`"${brand}"`));
  const browser = branded ?? AGENTS.find(([form]) => form.test(agent));
  const platform = headers.get("sec-ch-ua-platform") ?? agent;
  const system = SYSTEMS.find(([form]) => form.test(platform));
  const words = [browser?.[1], system?.[1]].filter((word) => word !== undefined);
  return words.length === 0 ? undefined : words.join(", ");
}
