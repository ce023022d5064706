import { expect, it } from "vitest";
import { describeFields } from "./openapi-fields.ts";

const descriptions = { amount: "In currency units.", limit: "How many." };

it("tells what a property means by its name, at any depth, beside a reference too", () => {
  const schema = {
    properties: { list: { items: { properties: { amount: { $ref: "#/x" }, other: { type: "null" } } } } },
  };
  expect(describeFields(schema, descriptions)).toEqual({
    properties: {
      list: {
        items: { properties: { amount: { $ref: "#/x", description: "In currency units." }, other: { type: "null" } } },
      },
    },
  });
});

it("leaves a property that describes itself as it is", () => {
  const schema = { properties: { amount: { description: "Its own." } } };
  expect(describeFields(schema, descriptions)).toEqual(schema);
});

it("says what a property means before the rules of its checks", () => {
  const schema = { properties: { limit: { type: "string", description: "must be from 1 to 500; must be whole" } } };
  const description = "How many. It must be from 1 to 500; must be whole.";
  expect(describeFields(schema, descriptions)).toEqual({ properties: { limit: { type: "string", description } } });
});

it("tells what a parameter of the query or path means, and no header", () => {
  const limit = { name: "limit", in: "query" };
  const header = { name: "limit", in: "header" };
  expect(describeFields([limit, header], descriptions)).toEqual([{ ...limit, description: "How many." }, header]);
});

it("touches no example, whatever it is called", () => {
  const content = { example: { properties: { amount: {} } }, examples: [{ properties: { amount: {} } }] };
  expect(describeFields(content, descriptions)).toEqual(content);
});

it("describes a property that is itself called properties or example", () => {
  const schema = { properties: { example: { properties: { amount: {} } }, properties: { type: "object" } } };
  expect(describeFields(schema, descriptions)).toEqual({
    properties: {
      example: { properties: { amount: { description: "In currency units." } } },
      properties: { type: "object" },
    },
  });
});
