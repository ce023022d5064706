import { render } from "lit";
import { words as scan } from "../../src/language/es/app/scan.ts";
import { words } from "../../src/language/es/app/start.ts";
import { afterEachPage, expectEqual } from "../../widgets/shared/browser-test.ts";
import { loadWords } from "../language/language.ts";
import type { Scanner } from "../scan/scanner.ts";
import { cameraTools, choiceTitle, codeChoice, torchButton } from "./scan-views.ts";

const calls: unknown[] = [];

function aScanner(parts: Partial<Record<keyof Scanner, unknown>>): Scanner {
  const scanner = {
    ...{ state: "on", lit: false, hasTorch: false, zoomRange: undefined, zoom: 1, choices: [], cameraId: "rear" },
    zoomTo: (zoom: number) => void calls.push(["zoom", zoom]),
    choose: (id: string) => void calls.push(["choose", id]),
    toggleTorch: () => void calls.push(["torch"]),
    ...parts,
  };
  return scanner as unknown as Scanner;
}

function shown(view: unknown): HTMLElement {
  const place = document.createElement("div");
  document.body.append(place);
  render(view, place);
  return place;
}

before(() => loadWords("scan", "es"));

describe("what can be set about the camera", () => {
  afterEach(() => {
    calls.length = 0;
    afterEachPage();
  });

  it("is nothing where it neither zooms nor is one of several, and while it is off", () => {
    expectEqual(shown(cameraTools(aScanner({}))).textContent, "");
    const off = aScanner({ state: "starting", zoomRange: { min: 1, max: 4 }, hasTorch: true });
    expectEqual(shown(cameraTools(off)).textContent, "");
    expectEqual(shown(torchButton(off)).querySelector("button"), null);
  });

  it("is its zoom, from where it stands", () => {
    const place = shown(cameraTools(aScanner({ zoomRange: { min: 1, max: 4, step: 0.5 }, zoom: 2 })));
    const slider = place.querySelector("input");
    expectEqual([slider?.value, slider?.min, slider?.max, slider?.ariaLabel], ["2", "1", "4", scan.zoom]);
    slider?.stepUp();
    slider?.dispatchEvent(new Event("input"));
    expectEqual(calls, [["zoom", 2.5]]);
  });

  it("is which camera it is, by a number where the browser has no name for it", () => {
    const choices = [
      { id: "front", label: "Front" },
      { id: "rear", label: "" },
    ];
    const choice = shown(cameraTools(aScanner({ choices }))).querySelector("select");
    expectEqual([choice?.value, choice?.selectedOptions[0]?.label], ["rear", scan.cameraNumber(2)]);
    if (choice) choice.value = "front";
    choice?.dispatchEvent(new Event("change"));
    expectEqual(calls, [["choose", "front"]]);
  });

  it("is its torch, which says whether it will be on or off", () => {
    for (const [lit, label] of [
      [false, scan.torchOn],
      [true, scan.torchOff],
    ] as const) {
      const button = shown(torchButton(aScanner({ hasTorch: true, lit }))).querySelector("button");
      expectEqual(button?.ariaLabel, label);
      button?.click();
    }
    expectEqual(calls, [["torch"], ["torch"]]);
  });
});

describe("several payment codes", () => {
  afterEach(afterEachPage);

  it("are offered by what is known of each, under the question who is paid", async () => {
    const codes = [{ reference: "7K3M9QXT2V4FW" }, { payload: "no code of ours" }];
    const chosen: unknown[] = [];
    const place = shown([
      choiceTitle(codes),
      codeChoice(words, codes, { guid: "co.qp", currency: "COP", choose: (code) => chosen.push(code) }),
    ]);
    expectEqual(place.querySelector("p")?.textContent, scan.several);
    const buttons = [...place.querySelectorAll("button")];
    expectEqual(buttons[0]?.innerText.trim(), "7K3M-9QXT-2V4F-W");
    for (const button of buttons) button.click();
    expectEqual(chosen, codes);
    expectEqual(shown(choiceTitle([])).textContent, "");
  });
});
