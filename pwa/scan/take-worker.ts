import { scriptUrlPolicy } from "../platform/trusted-types.ts";
import workerUrl from "./scan-worker.ts?worker&url";

/** The worker that was started ahead, until a reader takes it or its script cannot be fetched. */
let spare: Worker | undefined;

function startWorker(): Worker {
  return new Worker(scriptUrlPolicy().createScriptURL(workerUrl), { type: "module" });
}

/** Starts the worker that reads codes while the page that uses it loads: on a slow network both come at once. */
export function startWorkerAhead(): void {
  if (spare !== undefined) return;
  spare = startWorker();
  spare.onerror = () => {
    spare = undefined;
  };
}

/** Takes the worker that was started ahead, or else starts one. */
export function takeWorker(): Worker {
  const worker = spare ?? startWorker();
  spare = undefined;
  worker.onerror = null;
  return worker;
}
