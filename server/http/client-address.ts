import { BlockList, isIP, isIPv6 } from "node:net";

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}

/** Normalizes an address: an IPv4 address that arrives on an IPv6 socket becomes that IPv4 address. */
export function plainAddress(address: string): string {
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

function addEntry(list: BlockList, entry: string): void {
  const [address = "", prefix, ...rest] = entry.split("/");
  const most = isIPv6(address) ? 128 : 32;
  const wellFormed = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most);
  if (isIP(address) === 0 || !wellFormed || rest.length > 0) {
    throw new Error(`"${entry}" is neither an address nor a network such as 10.0.0.0/8`);
  }
  if (prefix === undefined) list.addAddress(address, familyOf(address));
  else list.addSubnet(address, Number(prefix), familyOf(address));
}

/** Parses a list of addresses and CIDR networks; throws an error that names the first wrong entry. */
export function parseTrustedProxies(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry.trim());
  return list;
}

/** True if an address belongs to a declared proxy. */
export function isTrusted(peer: string, trusted: BlockList | undefined): boolean {
  const address = plainAddress(peer);
  return trusted !== undefined && isIP(address) !== 0 && trusted.check(address, familyOf(address));
}

/** One element of `X-Forwarded-For`, which some proxies write with brackets and a port. */
function forwardedAddress(element: string): string | undefined {
  const text = element.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? undefined : plainAddress(bare);
}

/**
 * Returns the client's address: the peer, or while that is a trusted proxy the one before it in `X-Forwarded-For`,
 * right to left. Claims of an untrusted peer are never believed.
 */
export function clientAddress(peer: string, headers: Headers, trusted: BlockList | undefined): string {
  let address = plainAddress(peer);
  if (!isTrusted(address, trusted)) return address;
  const chain = (headers.get("x-forwarded-for") ?? "").split(",").reverse();
  for (const element of chain) {
    const before = forwardedAddress(element);
    if (before === undefined) return address;
    address = before;
    if (!isTrusted(address, trusted)) return address;
  }
  return address;
}

/** Returns the key by which rate limits count an address: one IPv6 customer has a whole /64, so that counts as one. */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : new Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0");
  return `${[...left, ...zeros, ...right].slice(0, 4).join(":")}::/64`;
}

/**
 * The inputs of {@link isDirectLoopback}: the socket's peer, the request's headers and HTTP version, and our port that
 * it came in on.
 */
export interface LoopbackQuestion {
  readonly peer: string;
  readonly headers: Headers;
  readonly port: number;
  /** As the request line says, such as `1.1`. */
  readonly httpVersion: string;
}

/** `X-Forwarded-For` and its variants; headers of nginx, Cloudflare, Akamai, Fly and Envoy for the client's address. */
const PROXY_HEADERS: readonly RegExp[] = [
  /^(?:forwarded|via|cdn-loop|x-real-ip|x-cluster-client-ip)$/,
  /^(?:x-|true-|fly-)?client-ip$/,
  /^(?:x-forwarded|x-original|x-envoy|cf)-/,
];

function isProxyHeader(name: string): boolean {
  return PROXY_HEADERS.some((form) => form.test(name));
}

/**
 * True if a request comes from this machine without a proxy in between (security: Demo). `Host` is compared too, so
 * that a web page cannot reach it by a name that it made resolve to 127.0.0.1. A proxy with its default configuration
 * (nginx) adds no header and puts our own address into `Host`, but speaks HTTP/1.0, which no browser does.
 */
export function isDirectLoopback({ peer, headers, port, httpVersion }: LoopbackQuestion): boolean {
  if (httpVersion === "1.0") return false;
  const address = plainAddress(peer);
  if (address !== "::1" && !/^127(?:\.\d{1,3}){3}$/.test(address)) return false;
  const host = /^(localhost|127\.0\.0\.1|\[::1\])(?::(\d+))?$/.exec((headers.get("host") ?? "").toLowerCase());
  if (host === null || Number(host[2] ?? 80) !== port) return false;
  return ![...headers.keys()].some(isProxyHeader);
}
