import { afterEachPage, expectEqual, expectTrue, until } from "../../widgets/shared/browser-test.ts";
import { type PictureReading, Scanner } from "./scanner.ts";

/** A camera of the device, as the browser would hand it out. */
interface Device {
  readonly deviceId: string;
  readonly label: string;
  readonly capabilities: object;
}

const REAR: Device = {
  deviceId: "rear",
  label: "Back",
  capabilities: { torch: true, zoom: { min: 1, max: 4, step: 0.5 } },
};
const FRONT: Device = { deviceId: "front", label: "", capabilities: {} };

interface Filming {
  readonly scanner: Scanner;
  readonly tracks: readonly MediaStreamTrack[];
  readonly asked: readonly MediaTrackConstraints[];
  readonly applied: readonly unknown[];
  readonly found: readonly string[];
  readonly handed: () => number;
}

const real = navigator.mediaDevices;
const scanners: Scanner[] = [];

/** A stream of a moving picture that says it is of that device. */
function streamOf({ deviceId, capabilities }: Device, applied: unknown[]): MediaStream {
  const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 48 });
  const pen = canvas.getContext("2d");
  if (pen === null) throw new Error("no canvas");
  pen.fillRect(0, 0, 64, 48);
  const stream = canvas.captureStream(25);
  let shade = 0;
  const drawing = setInterval(() => {
    pen.fillStyle = `hsl(${shade++} 50% 50%)`;
    pen.fillRect(0, 0, 64, 48);
  }, 30);
  for (const track of stream.getVideoTracks()) {
    track.addEventListener("ended", () => clearInterval(drawing));
    track.getSettings = () => ({ deviceId });
    track.getCapabilities = () => capabilities;
    track.applyConstraints = async (constraints) => void applied.push(constraints?.advanced?.[0]);
  }
  return stream;
}

function film(devices: readonly Device[], storage: Map<string, string>, reading?: Partial<PictureReading>): Filming {
  const [tracks, asked, applied, found]: [MediaStreamTrack[], MediaTrackConstraints[], unknown[], string[]] = [
    [],
    [],
    [],
    [],
  ];
  let handed = 0;
  const mediaDevices: Pick<MediaDevices, "getUserMedia" | "enumerateDevices"> = {
    async getUserMedia(wanted) {
      const video = wanted?.video as MediaTrackConstraints;
      asked.push(video);
      const { exact } = (video.deviceId ?? {}) as { readonly exact?: string };
      const device = devices.find(({ deviceId }) => exact === undefined || deviceId === exact);
      if (device === undefined) throw new DOMException("", "OverconstrainedError");
      const stream = streamOf(device, applied);
      tracks.push(...stream.getTracks());
      return stream;
    },
    enumerateDevices: async () =>
      devices.map((device) => ({ ...device, kind: "videoinput" }) as unknown as MediaDeviceInfo),
  };
  Object.defineProperty(navigator, "mediaDevices", { value: mediaDevices, configurable: true });
  const video = Object.assign(document.createElement("video"), { muted: true, playsInline: true });
  document.body.append(video);
  const scanner = new Scanner(video, {
    newReader: () => ({
      busy: false,
      close: () => undefined,
      async read(picture) {
        handed++;
        picture.close();
        return [];
      },
      ...reading,
    }),
    storage: { getItem: (key) => storage.get(key) ?? null, setItem: (key, value) => storage.set(key, value) },
    found: (texts) => found.push(texts.join(", ")),
    changed: () => undefined,
  });
  scanners.push(scanner);
  return { scanner, tracks, asked, applied, found, handed: () => handed };
}

describe("the scanner's camera", () => {
  afterEach(() => {
    for (const scanner of scanners.splice(0)) scanner.close();
    Object.defineProperty(navigator, "mediaDevices", { value: real, configurable: true });
    afterEachPage();
  });

  it("is the rear one, whose frames are read one after the other", async () => {
    const { scanner, asked, handed } = film([REAR, FRONT], new Map());
    void scanner.resume();
    await until(() => handed() > 3, "four frames");
    expectEqual(asked[0]?.facingMode, { ideal: "environment" });
    expectEqual([scanner.state, scanner.cameraId], ["on", "rear"]);
  });

  it("counts as taken where it fails in an unknown way, which is reported, and the ways beside it stay", async () => {
    const { scanner } = film([REAR], new Map());
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new TypeError("a defect"));
    const reported: string[] = [];
    const { reportError } = globalThis;
    globalThis.reportError = (error) => reported.push(String(error));
    await scanner.resume().finally(() => {
      globalThis.reportError = reportError;
    });
    expectEqual([scanner.state, reported], ["busy", ["TypeError: a defect"]]);
  });

  it("goes out when paused, comes back when resumed, and is gone when closed", async () => {
    const { scanner, tracks } = film([REAR], new Map());
    void scanner.resume();
    await until(() => scanner.state === "on", "the camera");
    scanner.pause();
    expectEqual([tracks.map(({ readyState }) => readyState), scanner.state], [["ended"], "starting"]);
    void scanner.resume();
    await until(() => tracks.length === 2 && scanner.state === "on", "the camera again");
    scanner.close();
    expectEqual(
      tracks.map(({ readyState }) => readyState),
      ["ended", "ended"],
    );
    await scanner.resume();
    expectEqual(tracks.length, 2);
  });

  it("keeps its last frame once a code was taken, and reads no other", async () => {
    const { scanner, tracks, handed } = film([REAR], new Map());
    scanner.freeze();
    expectEqual(scanner.state, "starting");
    void scanner.resume();
    await until(() => handed() > 1, "two frames");
    scanner.freeze();
    const before = handed();
    await new Promise((done) => setTimeout(done, 200));
    // One may have been under way.
    expectEqual(handed() <= before + 1, true);
    expectEqual([scanner.state, tracks.map(({ readyState }) => readyState)], ["read", ["live"]]);
  });

  it("can be chosen where there are several, and is the same one the next time", async () => {
    const storage = new Map<string, string>();
    const first = film([REAR, FRONT], storage);
    void first.scanner.resume();
    await until(() => first.scanner.choices.length === 2, "two cameras");
    expectEqual(first.scanner.choices[0], { id: "rear", label: "Back" });
    void first.scanner.choose("front");
    await until(() => first.scanner.cameraId === "front", "the other camera");
    expectEqual(
      first.tracks.map(({ readyState }) => readyState),
      ["ended", "live"],
    );
    const next = film([REAR, FRONT], storage);
    void next.scanner.resume();
    await until(() => next.scanner.cameraId === "front", "the chosen camera");
  });

  it("is the rear one again when the chosen one is gone, and no choice is offered where there is one", async () => {
    const { scanner, asked } = film([REAR], new Map([["cupo.camera", "unplugged"]]));
    void scanner.resume();
    await until(() => scanner.cameraId === "rear", "the rear camera");
    expectEqual(
      asked.map(({ deviceId, facingMode }) => deviceId ?? facingMode),
      [{ exact: "unplugged" }, { ideal: "environment" }],
    );
    expectEqual(scanner.choices, []);
  });

  it("zooms and lights where it can", async () => {
    const { scanner, applied } = film([REAR], new Map());
    void scanner.resume();
    await until(() => scanner.state === "on", "the camera");
    expectEqual([scanner.hasTorch, scanner.zoomRange, scanner.zoom], [true, { min: 1, max: 4, step: 0.5 }, 1]);
    await scanner.zoomTo(2.5);
    await scanner.toggleTorch();
    await scanner.toggleTorch();
    expectEqual(applied, [{ zoom: 2.5 }, { torch: true }, { torch: false }]);
    const other = film([FRONT], new Map());
    void other.scanner.resume();
    await until(() => other.scanner.state === "on", "the other camera");
    expectEqual([other.scanner.hasTorch, other.scanner.zoomRange], [false, undefined]);
  });

  it("hands over no second frame while one is being read, and tells a code once", async () => {
    let release: ((texts: readonly string[]) => void) | undefined;
    let reads = 0;
    const read: PictureReading["read"] = (picture) => {
      reads++;
      picture.close();
      return new Promise((done) => {
        release = done;
      });
    };
    const { scanner, found } = film([REAR], new Map(), { read });
    void scanner.resume();
    await until(() => reads === 1, "the first frame");
    await new Promise((done) => setTimeout(done, 300));
    expectEqual(reads, 1);
    release?.(["a code", "another"]);
    await until(() => reads === 2, "the second frame");
    release?.(["another", "a code"]);
    await until(() => reads === 3, "the third frame");
    expectEqual(found, ["a code, another"]);
  });

  it("reads no image file once it is closed", async () => {
    const { scanner, handed } = film([REAR], new Map());
    const canvas = new OffscreenCanvas(8, 8);
    canvas.getContext("2d")?.fillRect(0, 0, 8, 8);
    const file = await canvas.convertToBlob();
    await scanner.readFile(file);
    expectEqual(handed(), 1);
    const reading = scanner.readFile(file);
    scanner.close();
    expectEqual([(await reading).length, handed()], [0, 1]);
  });

  it("goes out when the reader fails, and another reader is asked the next time", async () => {
    let readers = 0;
    const failing: PictureReading["read"] = (picture) => {
      picture.close();
      return readers++ === 0 ? Promise.reject(new Error("could not be fetched")) : Promise.resolve([]);
    };
    const reported = globalThis.reportError;
    const errors: unknown[] = [];
    globalThis.reportError = (error) => void errors.push(error);
    try {
      const { scanner, tracks } = film([REAR], new Map(), { read: failing });
      void scanner.resume();
      await until(() => scanner.state === "unread", "the fault");
      expectTrue(
        tracks.every(({ readyState }) => readyState === "ended"),
        "the camera is on",
      );
      expectEqual(errors.length, 1);
      void scanner.resume();
      await until(() => scanner.state === "on" && readers > 1, "frames again");
    } finally {
      globalThis.reportError = reported;
    }
  });
});
