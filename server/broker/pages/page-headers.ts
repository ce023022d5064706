const POLICY = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "connect-src": "'self'",
  "manifest-src": "'self'",
  "worker-src": "'self'",
  "form-action": "'none'",
  "base-uri": "'none'",
  "frame-ancestors": "'none'",
  "require-trusted-types-for": "'script'",
  "trusted-types": "cupo",
};

/** The decoder alone may compile WebAssembly, in its own worker (security: Rules, Pages). */
const DECODER_POLICY = {
  "default-src": "'none'",
  "script-src": "'self' 'wasm-unsafe-eval'",
  "connect-src": "'self'",
};

const PERMISSIONS = [
  "camera=(self)",
  "clipboard-write=(self)",
  "screen-wake-lock=(self)",
  "publickey-credentials-get=(self)",
  "publickey-credentials-create=(self)",
  ..."accelerometer geolocation gyroscope magnetometer microphone midi payment usb".split(" ").map((it) => `${it}=()`),
].join(", ");

function policyText(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");
}

/**
 * Headers of every file of the pages, beside those of every answer; the policy bounds what a page may load and call,
 * and forbids to frame it.
 */
export const pageHeaders: Readonly<Record<string, string>> = Object.freeze({
  "Content-Security-Policy": policyText(POLICY),
  "Referrer-Policy": "no-referrer",
  "Permissions-Policy": PERMISSIONS,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
});

/** Headers of the worker that decodes scanned codes: its own content security policy in place of the page's. */
export const decoderHeaders: Readonly<Record<string, string>> = Object.freeze({
  "Content-Security-Policy": policyText(DECODER_POLICY),
});

/** Headers of the elements' scripts: pages of any origin may load them, and measure how long that takes. */
export const widgetHeaders: Readonly<Record<string, string>> = Object.freeze({
  "Access-Control-Allow-Origin": "*",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Timing-Allow-Origin": "*",
});
