import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emvChecksum, isEmvTemplate, readEmvDataObjects } from "../../src/qr-payload/emv-data-objects.ts";
import { parseQrPayload, type QrPublicKey, verifyQrPayload } from "../../src/qr-payload.ts";
import { aService, aUser, BASE_URL, type TestEntity, type TestService } from "../support/service.ts";
import { type RawClient, rawClient, refusalOf, standing } from "../support/service-calls.ts";

const GUID = "co.qp";
/** The checksum with its id and length. */
const TAIL = 8;
const LEAST_FORGERIES = 521;

interface Leaf {
  readonly id: string;
  readonly value: string;
}
/** A field, or a template with its fields. */
interface Field extends Leaf {
  readonly inner?: readonly Leaf[];
}

interface Forgery {
  readonly how: string;
  readonly text: string;
}

let service: TestService;
let fintech: TestEntity;
let raw: RawClient;
let keys: readonly QrPublicKey[];
let payer: string;
let payee: string;
/** A code of each form that the service signs. */
let codes: Readonly<Record<"dynamic" | "static", string>>;

beforeAll(async () => {
  service = await aService();
  fintech = await service.anEntity();
  raw = await rawClient(service, fintech);
  [payer, payee] = [(await aUser(fintech, { quota: 100_000 })).id, (await aUser(fintech, { name: "Shop" })).id];
  const make = async (body: object) =>
    (await fintech.client.createTransactionQr({ body: { to_user_id: payee, ...body } })).body.payload;
  codes = { dynamic: await make({ amount: 40 }), static: await make({}) };
  const listed = await service.fetch(`${BASE_URL}/.well-known/cupo-qr-keys.json`);
  const published = ((await listed.json()) as { keys: { kid: string; key: string }[] }).keys;
  keys = published.map(({ kid, key }) => ({ kid, publicKey: key }));
});
afterAll(() => service.stop());

function objectsOf(text: string): readonly Leaf[] {
  const characters = [...text];
  const read = readEmvDataObjects(characters, 0, characters.length);
  if (!read.ok) throw new Error("a code of the service is sound");
  return read.objects.map(({ id, value }) => ({ id, value }));
}

function fieldsOf(payload: string): readonly Field[] {
  return objectsOf(payload)
    .slice(0, -1)
    .map(({ id, value }) => (isEmvTemplate(id) ? { id, value, inner: objectsOf(value) } : { id, value }));
}

/** Writes a field, also one whose value is longer than two digits of length can say. */
function object(id: string, value: string): string {
  return `${id}${String(value.length).padStart(2, "0")}${value}`;
}

function written(fields: readonly Field[]): string {
  return fields.map(({ id, value, inner }) => object(id, inner === undefined ? value : written(inner))).join("");
}

/** Adds a checksum that is right again: all that a forger can do without the key. */
function checked(fields: string): string {
  const unchecked = `${fields}6304`;
  return unchecked + emvChecksum(unchecked);
}

function otherCharacter(text: string, at: number): string {
  return `${text.slice(0, at)}${text.charAt(at) === "7" ? "8" : "7"}${text.slice(at + 1)}`;
}

/** Each way to change one field; more or fewer than one field is that field dropped or doubled. */
const CHANGES: Readonly<Record<string, (leaf: Leaf) => readonly Leaf[]>> = {
  dropped: () => [],
  doubled: (leaf) => [leaf, leaf],
  "under another id": ({ value }) => [{ id: "97", value }],
  emptied: ({ id }) => [{ id, value: "" }],
  longer: ({ id, value }) => [{ id, value: `${value}7` }],
  shorter: ({ id, value }) => [{ id, value: value.slice(0, -1) }],
  "first character": ({ id, value }) => [{ id, value: otherCharacter(value, 0) }],
  "last character": ({ id, value }) => [{ id, value: otherCharacter(value, value.length - 1) }],
  reversed: ({ id, value }) => [{ id, value: [...value].reverse().join("") }],
};

/** A list with one of its fields replaced. */
function replaced<T>(list: readonly T[], index: number, by: readonly T[]): readonly T[] {
  return [...list.slice(0, index), ...by, ...list.slice(index + 1)];
}

/** Every field and every template's field, changed in every way. */
function bentFields(payload: string): readonly Forgery[] {
  const fields = fieldsOf(payload);
  return Object.entries(CHANGES).flatMap(([how, change]) =>
    fields.flatMap((field, index) => {
      const { id, inner = [] } = field;
      const whole = { how: `${id} ${how}`, text: checked(written(replaced(fields, index, change(field)))) };
      const parts = inner.map((leaf, at) => {
        const template = { ...field, inner: replaced(inner, at, change(leaf)) };
        return { how: `${id}-${leaf.id} ${how}`, text: checked(written(replaced(fields, index, [template]))) };
      });
      return [whole, ...parts];
    }),
  );
}

/** Every character behind the start, changed. */
function bentCharacters(payload: string): readonly Forgery[] {
  const signed = payload.slice(0, -TAIL);
  return Array.from({ length: signed.length - 6 }, (_, at) => ({
    how: `character ${at + 6}`,
    text: checked(otherCharacter(signed, at + 6)),
  }));
}

function forgeriesOf(payload: string): readonly Forgery[] {
  const distinct = new Map([...bentFields(payload), ...bentCharacters(payload)].map((each) => [each.text, each]));
  distinct.delete(payload);
  return [...distinct.values()];
}

async function isAuthentic(text: string): Promise<boolean> {
  const parsed = parseQrPayload(text, GUID);
  if (parsed.kind !== "cupo") return false;
  return (await verifyQrPayload(parsed, keys, 0)).authenticity === "authentic";
}

const pay = (qr: string) =>
  raw("createTransaction", { body: { amount: 40, from_user_id: payer, to_user_id: payee, details: { qr } } });

describe("forged codes", () => {
  it(`are at least ${LEAST_FORGERIES}, none of them a code of the service`, () => {
    const all = Object.values(codes).flatMap(forgeriesOf);
    expect(new Set(all.map(({ text }) => text)).size).toBeGreaterThanOrEqual(LEAST_FORGERIES);
    for (const { text } of all) expect(Object.values(codes)).not.toContain(text);
  });

  it.each(["dynamic", "static"] as const)("of a %s code are called authentic by nobody offline", async (form) => {
    expect(await isAuthentic(codes[form])).toBe(true);
    const through: string[] = [];
    for (const { how, text } of forgeriesOf(codes[form])) if (await isAuthentic(text)) through.push(how);
    expect(through).toEqual([]);
  });

  it.each(["dynamic", "static"] as const)("of a %s code are paid by nobody", async (form) => {
    const before = await standing(service);
    const told = forgeriesOf(codes[form]).map(
      async ({ how, text }) => `${how}: ${(await refusalOf(await pay(text))).join()}`,
    );
    const through = (await Promise.all(told)).filter((each) => !each.endsWith(": qr_not_authentic"));
    expect(through).toEqual([]);
    expect(await standing(service)).toEqual(before);
    expect((await pay(codes[form])).status).toBe(201);
  });
});
