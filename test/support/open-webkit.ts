import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { Builder, Capabilities, type WebDriver } from "selenium-webdriver";
import { freePort } from "../e2e/support/product.ts";
import { miniBrowser } from "./webkit.ts";

/** A WebKit on a screen in memory. */
export interface WebKit {
  readonly driver: WebDriver;
  close(): Promise<void>;
}

/** The language that the browser asks for. */
const ENGLISH = { LANG: "en_US.UTF-8", LANGUAGE: "en_US" };
const SCREEN = "1280x1600x24";
const ARGUMENTS = ["--automation", "--enable-mock-capture-devices=true"];
const [STARTED_WITHIN_MS, ASK_EVERY_MS] = [20_000, 50];

/** In a group of its own: what it starts ends with it. */
function start(command: string, parameters: readonly string[], display?: string): ChildProcess {
  const env = { ...process.env, ...ENGLISH, ...(display === undefined ? {} : { DISPLAY: display }) };
  return spawn(command, parameters, { env, detached: true, stdio: ["ignore", "pipe", "ignore"] });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  process.kill(-child.pid, "SIGTERM");
  await exited;
}

async function untilReady(url: string): Promise<void> {
  for (const until = Date.now() + STARTED_WITHIN_MS; Date.now() < until; await pause(ASK_EVERY_MS)) {
    const answer = await fetch(`${url}/status`).catch(() => undefined);
    if (answer?.ok) return;
  }
  throw new Error("WebKit's driver did not start in time");
}

/** Starts a WebKit with a mock camera, driven as W3C WebDriver says. */
export async function openWebKit(driverPath: string): Promise<WebKit> {
  const screen = start("/usr/bin/Xvfb", ["-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp"]);
  const closings = [() => end(screen)];
  try {
    const [display] = (await once(screen.stdout ?? screen, "data")) as [Buffer];
    const port = await freePort();
    const parameters = ["--", driverPath, `--port=${port}`, "--host=127.0.0.1"];
    const service = start("/usr/bin/dbus-run-session", parameters, `:${String(display).trim()}`);
    closings.unshift(() => end(service));
    const url = `http://127.0.0.1:${port}`;
    await untilReady(url);
    const capabilities = new Capabilities({ browserName: "MiniBrowser" });
    capabilities.set("webkitgtk:browserOptions", { binary: miniBrowser(), args: ARGUMENTS });
    const driver = await new Builder()
      .disableEnvironmentOverrides()
      .usingServer(url)
      .withCapabilities(capabilities)
      .build();
    closings.unshift(() => driver.quit());
    return { driver, close: () => closeAll(closings) };
  } catch (error) {
    await closeAll(closings);
    throw error;
  }
}

async function closeAll(closings: readonly (() => Promise<void>)[]): Promise<void> {
  for (const close of closings) await close();
}
