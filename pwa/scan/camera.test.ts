import { expect, test } from "vitest";
import { cameraFaultOf } from "./camera.ts";

test.each([
  ["NotAllowedError", "refused"],
  ["NotFoundError", "missing"],
  ["OverconstrainedError", "missing"],
  ["NotReadableError", "busy"],
] as const)("%s means that the camera is %s", (name, fault) => {
  expect(cameraFaultOf(new DOMException("", name))).toBe(fault);
});

test("an error of WebKit that is no DOMException is told by its name", () => {
  expect(cameraFaultOf({ name: "OverconstrainedError", message: "Invalid constraint", constraint: "" })).toBe(
    "missing",
  );
});

test("a bug is not taken for a missing camera", () => {
  expect(cameraFaultOf(new TypeError("x is not a function"))).toBeUndefined();
  expect(cameraFaultOf(new DOMException("", "DataCloneError"))).toBeUndefined();
  expect(cameraFaultOf({ name: "constructor" })).toBeUndefined();
  expect(cameraFaultOf(undefined)).toBeUndefined();
});
