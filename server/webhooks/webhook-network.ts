import type { LookupAddress } from "node:dns";
import { Resolver, lookup as systemLookup } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** The policy on the addresses that webhooks may reach, and the look-up of names that it applies to. */
export interface WebhookNetwork {
  /** True if plain http may be used at all: only towards networks that the operator allowed. */
  readonly allowsPrivate: boolean;
  /** True if an address may be connected to by that protocol. */
  permits(address: string, protocol: string): boolean;
  /** True for an address of our own that is always permitted, such as the broker's beside us. */
  isOwn(url: string): boolean;
  readonly find: FindAddresses;
}

/** Options of {@link createWebhookNetwork}. */
export interface WebhookNetworkOptions {
  /** Addresses and ranges of private networks that webhooks may reach; default none. */
  readonly allowed?: readonly string[];
  /** Exact addresses of our own. */
  readonly own?: readonly string[];
  /** Default: the name servers, or the system where private networks are allowed. */
  readonly find?: FindAddresses;
}

/** Finds every address of a name; rejects where there is none (`ENOTFOUND`, `ENODATA`), or nobody answers. */
export type FindAddresses = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Ranges that the internet does not reach, or that are not one host (IANA special-purpose registries, RFC 6890). */
const SPECIAL_IPV4 = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"],
  ...["203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
];
/**
 * All but global unicast 2000::/3: so loopback, mapped and translated IPv4, unique local, link-local and multicast;
 * and of that the parts that stand for something else (Teredo, 6to4, documentation).
 */
const SPECIAL_IPV6 = ["::/3", "4000::/2", "8000::/1", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/** Thrown instead of connecting to an address that the network does not permit. */
export class AddressRefusedError extends Error {
  override readonly name = "AddressRefusedError";
}

type Family = "ipv4" | "ipv6";

/** One list per family: a list of both compares an IPv4 address with IPv6 networks as well. */
type Ranges = Readonly<Record<Family, BlockList>>;

function familyOf(address: string): Family {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

function rangesOf(entries: readonly string[]): Ranges {
  const ranges = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const entry of entries) {
    const [address = "", prefix] = entry.split("/");
    const family = familyOf(address);
    if (prefix === undefined) ranges[family].addAddress(address, family);
    else ranges[family].addSubnet(address, Number(prefix), family);
  }
  return ranges;
}

function isWithin(ranges: Ranges, address: string): boolean {
  return ranges[familyOf(address)].check(address, familyOf(address));
}

const SPECIAL = rangesOf([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
/** `::ffff:10.0.0.1` reaches 10.0.0.1, and is checked as that. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * Makes the policy on addresses that webhooks may reach: public ones by https, those of allowed networks also by http.
 */
export function createWebhookNetwork({ allowed = [], own = [], find }: WebhookNetworkOptions): WebhookNetwork {
  const permitted = rangesOf(allowed);
  const allowsPrivate = allowed.length > 0;
  return {
    allowsPrivate,
    find: find ?? (allowsPrivate ? askSystem : askNameServers),
    permits(written, protocol) {
      const address = MAPPED.exec(written)?.[1] ?? written;
      if (isIP(address) === 0 || address.includes("%")) return false;
      if (isWithin(permitted, address)) return true;
      return protocol === "https:" && !isWithin(SPECIAL, address);
    },
    isOwn: (url) => own.includes(url),
  };
}

/** Returns the host of an address if it is an IP address: `URL` writes every form of IPv4 the same way. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? undefined : bare;
}

const NAME_TIMEOUT_MS = 2_000;
const NAME_TRIES = 2;

/**
 * Asks the name servers. The system's own look-up waits in one of the process's few threads, which verify tokens too:
 * names that others choose must not block those.
 */
async function askNameServers(hostname: string): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver({ timeout: NAME_TIMEOUT_MS, tries: NAME_TRIES });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const [failure] = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason as unknown] : []));
  if (found.length === 0 && failure !== undefined) throw failure;
  return found.map((address) => ({ address, family: isIP(address) }));
}

/** Longer than a name server that answers takes. */
const TURN_TIMEOUT_MS = 5_000;

/**
 * Wraps a look-up of names that others choose so that only one runs at a time. The system looks up two at a time for
 * the whole process, and waits long for a silent name server: so one is left for the names of our own upstream and
 * database. A look-up that waits for its turn for too long fails as one that nobody answers.
 */
export function oneAtATime(find: FindAddresses, timeoutMs = TURN_TIMEOUT_MS): FindAddresses {
  let last: Promise<unknown> = Promise.resolve();
  return (hostname) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const turn = last.then(() => {
      if (signal.aborted) {
        throw Object.assign(new Error(`no turn to look up ${hostname}`), { code: "ETIMEOUT", syscall: "getaddrinfo" });
      }
      return find(hostname);
    });
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Asks the system, which knows the names of a private network that no name server does. */
const askSystem = oneAtATime((hostname) => systemLookup(hostname, { all: true }));

/**
 * Makes the look-up of a name for one connection, which gives only addresses that were checked: no second look-up can
 * answer differently. One refused address among several refuses the name.
 */
export function guardedLookup(network: WebhookNetwork, protocol: string): LookupFunction {
  return (hostname, options, callback) => {
    network.find(hostname).then(
      (addresses) => {
        const [first] = addresses;
        const refused = addresses.find(({ address }) => !network.permits(address, protocol));
        if (first === undefined || refused !== undefined) callback(new AddressRefusedError(hostname), "", 0);
        else if (options.all === true) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}
