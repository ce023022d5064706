import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { openWebKit, type WebKit } from "../../support/open-webkit.ts";
import { aPageProxy, type PageProxy } from "./page-proxy.ts";
import { aPlace, Product } from "./product.ts";
import { ServiceApi } from "./service-api.ts";
import { WebKitPhone } from "./webkit-phone.ts";

/** A running product of one test file, and a WebKit that reaches it through a {@link PageProxy}. */
export interface WebKitFixture {
  readonly product: Product;
  readonly api: ServiceApi;
  readonly proxy: PageProxy;
  readonly webkit: WebKit;
  /** The phone of the demo's payer, on which nobody is signed in at first. */
  readonly ana: WebKitPhone;
}

/**
 * The fixture of a test file, whose fields are there from before its first test until after its last. After every test
 * no page may have had an error or a violation of its policy.
 */
export function aWebKitFixture(driverPath: string): WebKitFixture {
  const fixture = {} as { -readonly [Field in keyof WebKitFixture]: WebKitFixture[Field] };
  beforeAll(async () => {
    const place = await aPlace();
    fixture.proxy = await aPageProxy(place.port);
    const environment = { CUPO_PUBLIC_ORIGIN: fixture.proxy.origin, CUPO_DEMO: "on" };
    [fixture.product, fixture.webkit] = await Promise.all([
      Product.start(place, { environment }),
      openWebKit(driverPath),
    ]);
    fixture.api = await ServiceApi.of(fixture.product.demo);
    fixture.ana = await WebKitPhone.take(fixture.webkit.driver, fixture.proxy);
  });
  afterEach(() => {
    expect(fixture.proxy.takeFaults()).toEqual([]);
  });
  afterAll(async () => {
    const { product, proxy, webkit } = fixture;
    const ended = await Promise.allSettled([webkit?.close(), proxy?.close(), product?.remove()]);
    const failures = ended.flatMap((end) => (end.status === "rejected" ? [end.reason as unknown] : []));
    if (failures.length > 0) throw new AggregateError(failures, "not everything could be ended");
  });
  return fixture;
}
