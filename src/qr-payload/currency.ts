/** A currency as an EMV code names it: the ISO 4217 number, and how many decimals an amount has. */
export interface QrCurrency {
  readonly numeric: string;
  readonly digits: number;
}

const TWO_DECIMALS = {
  ARS: "032",
  BOB: "068",
  BRL: "986",
  BZD: "084",
  CAD: "124",
  CHF: "756",
  COP: "170",
  COU: "970",
  CRC: "188",
  CUP: "192",
  DOP: "214",
  EUR: "978",
  GBP: "826",
  GTQ: "320",
  GYD: "328",
  HNL: "340",
  HTG: "332",
  JMD: "388",
  MXN: "484",
  NIO: "558",
  PAB: "590",
  PEN: "604",
  SRD: "968",
  TTD: "780",
  USD: "840",
  UYU: "858",
  VES: "928",
} as const;

const NO_DECIMALS = { CLP: "152", JPY: "392", PYG: "600" } as const;

const CURRENCIES: ReadonlyMap<string, QrCurrency> = new Map([tableOf(TWO_DECIMALS, 2), tableOf(NO_DECIMALS, 0)].flat());

/** The currency that an ISO 4217 letter code names, such as `COP`; undefined for one that Cupo cannot put in a code. */
export function qrCurrency(code: string): QrCurrency | undefined {
  return CURRENCIES.get(code);
}

/** The decimals of the currency with this ISO 4217 number: the payload itself does not carry them. */
export function currencyDigits(numeric: string): number | undefined {
  for (const currency of CURRENCIES.values()) {
    if (currency.numeric === numeric) return currency.digits;
  }
  return undefined;
}

function tableOf(numbers: Readonly<Record<string, string>>, digits: number): [string, QrCurrency][] {
  return Object.entries(numbers).map(([code, numeric]) => [code, { numeric, digits }]);
}
