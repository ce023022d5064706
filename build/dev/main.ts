import { once } from "node:events";
import { realpathSync } from "node:fs";
import { type AddressInfo, createServer as createNetServer } from "node:net";
import { dirname } from "node:path";
import { createServer, type ViteDevServer } from "vite";
import { type Config, readConfig } from "../../server/config/config.ts";
import { failureText } from "../../server/start/failure-text.ts";
import { readFlags } from "../usage.ts";
import { devPages, SERVER_PATHS } from "./dev-pages.ts";
import { ServerProcess } from "./server-process.ts";

/** Paths of files that browsers may load. The data folder is none of them: it holds keys and passwords. */
const SERVED = ["index.html", "pwa", "src", "widgets", "node_modules", dirname(realpathSync("node_modules/vite"))];

async function freePort(): Promise<number> {
  const server = createNetServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function createPages({ port, dataDir }: Config, server: ServerProcess, serverPort: number): Promise<ViteDevServer> {
  return createServer({
    // vite.config.ts is for the build alone.
    configFile: false,
    publicDir: "pwa/public",
    clearScreen: false,
    plugins: [devPages(server)],
    server: {
      // No other address: to the server, each request from here is one of this machine, which the demo admits.
      host: "127.0.0.1",
      port,
      strictPort: true,
      // The server decides which other origins may read its answers.
      cors: false,
      proxy: { [SERVER_PATHS.source]: { target: `http://127.0.0.1:${serverPort}`, changeOrigin: true } },
      fs: { allow: SERVED },
      watch: { ignored: [`${dataDir}/**`] },
    },
  });
}

/** Serves the pages from their sources at the address of `npm start`, and the rest by the server behind it. */
async function main(): Promise<void> {
  readFlags({
    script: "dev",
    text: `Runs everything as npm start does, pages from their sources: each change of the code is shown at once.
Ctrl-C stops it. It takes the same variables of the environment (README, Configuration).`,
  });
  const config = readConfig(process.env, "all");
  const port = await freePort();
  const environment = {
    ...process.env,
    CUPO_PORT: String(port),
    CUPO_PUBLIC_ORIGIN: config.publicOrigin,
    CUPO_DEMO: config.demo ? "on" : "off",
  };
  const server = new ServerProcess({ port, environment });
  const pages = await createPages(config, server, port);
  await pages.listen();
  server.start();
  // Also when a fault of this process ends it.
  process.on("exit", () => void server.stop("SIGTERM"));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, async () => {
      await server.stop(signal);
      await pages.close();
      process.exit();
    });
  }
}

main().catch((error) => {
  process.stderr.write(`${failureText(error)}\n`);
  process.exit(1);
});
