import { expect, it } from "vitest";
import { deviceNameOf } from "./device-name.ts";

it.each([
  [
    "Chrome, Android",
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36",
  ],
  ["Safari, iPhone", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1"],
  ["Edge, Windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0"],
  ["Firefox, Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  ["Cupo", "curl/8"],
])("a device begins as %j", (name, userAgent) => {
  expect(deviceNameOf(userAgent)).toBe(name);
});
