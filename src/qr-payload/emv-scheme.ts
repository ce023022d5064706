/**
 * Contents of an EMV code by which {@link nameEmvScheme} recognises its scheme: the values of the root objects, and the
 * GUIDs (00) of the payment networks' templates, both by root id.
 */
export interface EmvSchemeSigns {
  readonly root: ReadonlyMap<string, string>;
  readonly guids: ReadonlyMap<string, string>;
}

/**
 * GUIDs of national schemes, most telling first: a QRIS or SGQR code carries several wallets' GUIDs besides its own.
 * Sources: the schemes' public manuals and the payloads of their reference implementations.
 */
const BY_GUID: readonly (readonly [RegExp, string])[] = [
  [/^br\.gov\.bcb\.pix$/i, "PIX"],
  [/^co\.com\./i, "Bre-B/EASPBV"],
  [/^A0000006770101\d\d$/i, "PromptPay"],
  [/^A000000677/i, "Thai QR"],
  [/^id\.(?:co\.qris|or\.gpnqr)\./i, "QRIS"],
  [/^sg\.sgqr$/i, "SGQR"],
  [/^sg\.paynow$/i, "PayNow (SGQR)"],
  [/^(?:upi|A000000524.*|.*\.npci\..*)$/i, "UPI"],
  [/^A000000727$/i, "VietQR"],
  [/^A0000006150001/i, "DuitNow"],
  [/^(?:com\.p2pqrpay|ph\.ppmi\.)/i, "QR Ph"],
  [/^A005266284662577$/i, "Lao QR"],
  [/^hk\.com\.hkicl$/i, "FPS (Hong Kong)"],
  [/^kh\.gov\.nbc\./i, "KHQR"],
  [/^id\.co\./i, "QRIS"],
  [/^pe\.com\./i, "Yape"],
  [/mercadolibre|mercadopago/i, "Mercado Pago"],
  [/^fonepay/i, "Fonepay"],
];

const BY_NETWORK_ID: Readonly<Record<string, string>> = {
  "02": "Visa",
  "03": "Visa",
  "04": "Mastercard",
  "05": "Mastercard",
  "09": "Discover",
  "10": "Discover",
  "11": "American Express",
  "12": "American Express",
  "13": "JCB",
  "14": "JCB",
  "15": "UnionPay",
  "16": "UnionPay",
};

/** Names the scheme of an EMV code that is not ours, so that a payer learns what it is; `EMV` when it is unknown. */
export function nameEmvScheme(signs: EmvSchemeSigns): string {
  const guids = [...signs.guids.values()];
  for (const [pattern, scheme] of BY_GUID) {
    if (guids.some((guid) => pattern.test(guid))) return scheme;
  }
  if (signs.root.get("58") === "KH" && guids.some((guid) => guid.includes("@"))) return "KHQR";
  for (const id of signs.root.keys()) {
    const network = BY_NETWORK_ID[id];
    if (network !== undefined) return network;
  }
  return "EMV";
}
