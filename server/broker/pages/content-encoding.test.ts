import { expect, it } from "vitest";
import { acceptedEncodings } from "./content-encoding.ts";

it.each([
  [undefined, []],
  ["", []],
  ["identity", []],
  ["gzip, deflate, br, zstd", ["br", "gzip"]],
  ["gzip", ["gzip"]],
  ["GZIP;q=0.5 , BR ; q=0.1", ["br", "gzip"]],
  ["br;q=0, gzip", ["gzip"]],
  ["*", ["br", "gzip"]],
  ["*;q=0", []],
  ["gzip;q=0, *", ["br"]],
  ["br;q=nonsense", []],
])("Accept-Encoding %j admits %j", (header, names) => {
  expect(acceptedEncodings(header).map(({ name }) => name)).toEqual(names);
});
