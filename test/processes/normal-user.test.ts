import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { aPlace, Product } from "../e2e/support/product.ts";
import { ServiceApi } from "../e2e/support/service-api.ts";

const MAIN = join(import.meta.dirname, "../../server/main.ts");

/** The user that owns nothing on any Unix. */
const NOBODY = 65_534;

/** True if that user may read this copy of the repository; below /root it may not. */
function nobodyMayRead(): boolean {
  try {
    execFileSync("/bin/sh", ["-c", `test -r "${MAIN}"`], { uid: NOBODY, gid: NOBODY, cwd: "/" });
    return true;
  } catch {
    // The shell's answer is its exit code.
    return false;
  }
}

/** A user other than root tries it with every other test here. */
const isRoot = process.getuid?.() === 0;

it.runIf(isRoot && nobodyMayRead())("npm start works for a user without rights, and again", async () => {
  const place = await aPlace();
  try {
    for (const which of ["first", "second"]) {
      const product = await Product.start(place, { uid: NOBODY });
      console.info(`${which} start as user ${NOBODY}: ready in ${product.readyMs.toFixed(0)} ms`);
      expect(statSync(join(place.folder.path, "postgres")).uid).toBe(NOBODY);
      expect(await (await ServiceApi.of(product.demo)).balances()).toEqual({ payer: 500_000, merchant: 300_000 });
      expect(await product.stop("SIGTERM")).toEqual({ code: 0, signal: null });
    }
  } finally {
    await place.folder.remove();
  }
});
