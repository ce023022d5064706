import jsqr from "jsqr";
import {
  afterEachPage,
  ariaSnapshotOf,
  expectAccessible,
  expectEqual,
  expectTrue,
  type MediaFeatures,
  nextFrame,
  only,
  pixelsOf,
  setMediaFeatures,
} from "../shared/browser-test.ts";
import { PayQrHarness, StubbedPayment } from "./pay-qr-harness.ts";
import "../pay-qr.ts";

const SHORT = "000201010211630471C4";
/** A payload of the maximum length (qr: Payload). */
const LONG = `000201${"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".repeat(6).slice(0, 325)}`;

const LOOKS: Readonly<Record<string, MediaFeatures>> = {
  light: {},
  dark: { colorScheme: "dark" },
  "forced colours, light": { forcedColors: "active" },
  "forced colours, dark": { forcedColors: "active", colorScheme: "dark" },
};

function mountPage(theme: string): void {
  document.documentElement.lang = "es";
  document.documentElement.style.colorScheme = theme;
  document.body.style.background = "Canvas";
}

async function resetPage(): Promise<void> {
  afterEachPage();
  document.documentElement.removeAttribute("style");
  document.documentElement.removeAttribute("dir");
  document.querySelector("meta[name=viewport]")?.remove();
  document.documentElement.lang = "en";
  await setMediaFeatures();
}

describe("the code of <pay-qr> can be read from the screen", () => {
  afterEach(resetPage);

  for (const [name, look] of Object.entries(LOOKS)) {
    for (const scale of [1, 2]) {
      for (const [length, payload] of [
        ["short", SHORT],
        ["long", LONG],
      ] as const) {
        for (const width of [800, 320]) {
          it(`${name}, ${scale}×, ${length} payload, page ${width} px wide`, async () => {
            mountPage("light dark");
            await setMediaFeatures({ ...look, scale, width });
            const pay = PayQrHarness.mount(await StubbedPayment.open({ payload }));
            await pay.reaches("awaiting");
            const { data, width: columns, height: rows } = await pixelsOf(pay.plate);
            const read = jsqr(data, columns, rows, { inversionAttempts: "dontInvert" });
            expectEqual(read?.data, payload);
          });
        }
      }
    }
  }

  it("the quiet zone is four white modules wide whatever the page's colours", async () => {
    mountPage("dark");
    await setMediaFeatures({ colorScheme: "dark" });
    const pay = PayQrHarness.mount(await StubbedPayment.open());
    await pay.reaches("awaiting");
    if (pay.qr === null) throw new Error("no code");
    const { data, width } = await pixelsOf(pay.qr);
    const notWhite: string[] = [];
    for (let line = 0; line < 16; line++) {
      for (let column = 0; column < width; column++) {
        const red = data[(line * width + column) * 4];
        if (red !== 255) notWhite.push(`${column},${line}: ${red}`);
      }
    }
    expectEqual(notWhite, []);
  });
});

describe("<pay-qr> is for everybody", () => {
  afterEach(resetPage);

  const states: Readonly<Record<string, object>> = {
    awaiting: { rejected_attempts: 0 },
    paid: { state: "paid" },
    expired: { state: "expired" },
    cancelled: { state: "cancelled" },
    failed: { payload: 7 },
  };
  for (const theme of ["light", "dark"] as const) {
    for (const [state, answer] of Object.entries(states)) {
      it(`axe finds nothing in ${state}, ${theme}`, async () => {
        mountPage(theme);
        const pay = PayQrHarness.mount(await StubbedPayment.open({ ...answer }));
        await pay.reaches(state);
        await expectAccessible(pay.element);
      });
    }
    it(`axe finds nothing while loading, offline and rejected, ${theme}`, async () => {
      mountPage(theme);
      const payment = await StubbedPayment.open();
      await payment.change({ refuse: { status: 503, code: "unavailable" } });
      const pay = PayQrHarness.mount(payment);
      await pay.reaches("offline");
      expectTrue(pay.element.matches(":state(loading)"), "loading");
      await expectAccessible(pay.element);
      await payment.change({ refuse: null });
      pay.press("Consultar de nuevo");
      await pay.reaches("awaiting");
      await payment.becomes({ rejected_attempts: 1 });
      await pay.hears("pay-rejected");
      await payment.change({ refuse: "drop", stream: "hint" });
      await pay.reaches("offline");
      await expectAccessible(pay.element);
    });
  }

  it("tells those who do not see it payee, amount, code and what they can do, and adds no landmark", async () => {
    const pay = PayQrHarness.mount(await StubbedPayment.open({ app_link: "https://pay.example/p#1" }));
    await pay.reaches("awaiting");
    expectEqual((await ariaSnapshotOf(pay.element)).replace(/\d\d:\d\d/, "TIME").split("\n"), [
      "- paragraph: You pay Café La Candelaria",
      "- paragraph: COP 25,000",
      '- img "QR code to pay COP 25,000 to Café La Candelaria"',
      "- term: Check code",
      "- definition: 7K3M",
      "- definition: It must match your app",
      "- term: Expires in",
      "- definition:",
      "  - timer: TIME",
      '- link "Pay in the app":',
      "  - /url: https://pay.example/p#1",
      '- button "Copy code"',
      '- status: "Your code is ready: you\'ll pay COP 25,000 to Café La Candelaria"',
    ]);
  });

  it("fits a page of 320 px without scrolling sideways, in both directions", async () => {
    for (const direction of ["ltr", "rtl"]) {
      document.documentElement.dir = direction;
      await setMediaFeatures({ width: 320 });
      const pay = PayQrHarness.mount(
        await StubbedPayment.open({ payee: "Ferretería".repeat(6), amount: 9999999999.99 }),
      );
      await pay.reaches("awaiting");
      expectTrue(document.documentElement.scrollWidth <= 320, document.documentElement.scrollWidth);
      pay.element.remove();
    }
  });

  it("in a page that runs from right to left, a sentence still ends with its full stop", async () => {
    document.documentElement.dir = "rtl";
    const payment = await StubbedPayment.open();
    const pay = PayQrHarness.mount(payment);
    await pay.reaches("awaiting");
    await payment.becomes({ rejected_attempts: 1 });
    await pay.hears("pay-rejected");
    await pay.element.updateComplete;
    const nodes = pay.element.shadowRoot?.querySelector(".notice p")?.childNodes ?? [];
    const sentence = [...nodes].find((node) => node instanceof Text);
    if (sentence === undefined) throw new Error("no sentence");
    const stop = boxOf(sentence, sentence.data.trimEnd().length - 1);
    const before = boxOf(sentence, sentence.data.trimEnd().length - 2);
    expectTrue(sentence.data.trimEnd().endsWith("."), sentence.data);
    expectTrue(stop.left >= before.right - 1, [before.right, stop.left]);
  });

  it("speaks the nearest language, sentences and numbers both, also when it changes", async () => {
    const payment = await StubbedPayment.open({ amount: 1234.5 });
    const pay = PayQrHarness.mount(payment, { lang: "en" });
    await pay.reaches("awaiting");
    expectTrue(pay.text.includes("You pay Café La Candelaria COP 1,234.50"), pay.text);
    pay.element.lang = "pt-BR";
    await nextFrame();
    await pay.element.updateComplete;
    expectTrue(pay.text.includes("Você paga para Café La Candelaria COP 1.234,50"), pay.text);
    pay.element.lang = "fr";
    await nextFrame();
    await pay.element.updateComplete;
    expectTrue(pay.text.includes("Pagas a Café La Candelaria $ 1.234,50"), pay.text);
    expectEqual(pay.element.shadowRoot?.querySelector(".card")?.getAttribute("lang"), "es");
  });

  it("finds the language of the page around shadow roots", async () => {
    const host = document.createElement("section");
    host.lang = "pt";
    document.body.append(host);
    const pay = PayQrHarness.mount(await StubbedPayment.open());
    host.attachShadow({ mode: "open" }).append(pay.element);
    await pay.reaches("awaiting");
    expectTrue(pay.text.includes("Você paga para"), pay.text);
  });

  it("announces in the nearest language, and the last announcement again when that changes", async () => {
    const pay = PayQrHarness.mount(await StubbedPayment.open(), { lang: "en" });
    await pay.reaches("awaiting");
    expectEqual(pay.announced, "Your code is ready: you'll pay COP\u00a025,000 to Café La Candelaria");
    pay.element.lang = "pt";
    await nextFrame();
    await pay.element.updateComplete;
    expectTrue(/^Seu código está pronto: .* para Café La Candelaria$/.test(pay.announced), pay.announced);
    expectEqual(pay.liveRegion.getAttribute("lang"), "pt");
  });

  for (const [root, letters] of [
    ["10px", "16px"],
    ["16px", "16px"],
    ["32px", "32px"],
  ] as const) {
    it(`has letters of ${letters} where the page's are ${root}, and fits a phone`, async () => {
      document.documentElement.style.fontSize = root;
      await setMediaFeatures({ width: 390 });
      const pay = PayQrHarness.mount(await StubbedPayment.open({ amount: 9999999999.99 }));
      await pay.reaches("awaiting");
      expectEqual(getComputedStyle(pay.element).fontSize, letters);
      expectTrue(document.documentElement.scrollWidth <= 390, document.documentElement.scrollWidth);
    });
  }

  it("nothing moves under reduced motion", async () => {
    await setMediaFeatures({ reducedMotion: "reduce" });
    const pay = PayQrHarness.mount(await StubbedPayment.open({ state: "paid" }));
    await pay.reaches("paid");
    expectEqual(pay.element.shadowRoot?.getAnimations().length, 0);
  });
});

async function onPhone(answer: object = {}): Promise<PayQrHarness> {
  mountPage("light");
  document.head.insertAdjacentHTML("beforeend", '<meta name="viewport" content="width=device-width">');
  await setMediaFeatures({ phone: true, width: 390 });
  const pay = PayQrHarness.mount(await StubbedPayment.open({ app_link: "https://pay.example/p#1", ...answer }));
  await pay.reaches("awaiting");
  return pay;
}

only("chromium", "phones are not emulated in Firefox", () => {
  describe("<pay-qr> on a phone", () => {
    afterEach(resetPage);

    it("leads into the app first, with the code folded under it", async () => {
      const pay = await onPhone();
      expectEqual((await ariaSnapshotOf(pay.element)).replace(/\d\d:\d\d/, "TIME").split("\n"), [
        "- paragraph: Pagas a Café La Candelaria",
        "- paragraph: $ 25.000",
        '- link "Pagar en la app":',
        "  - /url: https://pay.example/p#1",
        "- term: Código de verificación",
        "- definition: 7K3M",
        "- definition: Debe ser el mismo en tu app",
        "- term: Vence en",
        "- definition:",
        "  - timer: TIME",
        "- group: Mostrar el código",
        '- status: "Tu código está listo: pagas $ 25.000 a Café La Candelaria"',
      ]);
      await expectAccessible(pay.element);
    });

    it("unfolds a code that another phone reads", async () => {
      const pay = await onPhone({ payload: LONG });
      expectEqual(pay.plate.checkVisibility(), false);
      pay.unfold();
      const { data, width, height } = await pixelsOf(pay.plate);
      expectEqual(jsqr(data, width, height, { inversionAttempts: "dontInvert" })?.data, LONG);
      await expectAccessible(pay.element);
    });

    it("shows the code at once where there is no way into the app, and on a tablet", async () => {
      const pay = await onPhone({ app_link: "" });
      expectEqual(pay.plate.checkVisibility(), true);
      pay.element.remove();
      await setMediaFeatures({ phone: true, width: 800 });
      const tablet = PayQrHarness.mount(await StubbedPayment.open({ app_link: "https://pay.example/p#1" }));
      await tablet.reaches("awaiting");
      expectEqual(tablet.plate.checkVisibility(), true);
    });
  });
});

function boxOf(text: Text, index: number): DOMRect {
  const range = document.createRange();
  range.setStart(text, index);
  range.setEnd(text, index + 1);
  return range.getBoundingClientRect();
}
