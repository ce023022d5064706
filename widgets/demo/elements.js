// A showcase: every element in every state, by the address of the page. /demo/elements.html shows them all;
// ?element=pay-qr&state=expired shows one of them, and &bare nothing else. theme=light|dark, lang=es|en|… and
// dir=ltr|rtl go with either. Tests, pictures and people use this same page. The states are data (states.js), played
// by a staged broker (staged-broker.js) and, where a person is needed, a staged person (staged-person.js).

import { languageNames, words } from "/demo/elements-words.js";
import { sessionUrlOf, stageBroker, stageClipboard } from "/demo/staged-broker.js";
import { play } from "/demo/staged-person.js";
import { states, UNCOPIED } from "/demo/states.js";

const CHOICES = {
  theme: ["auto", "light", "dark"],
  lang: Object.keys(words),
  dir: ["ltr", "rtl"],
};

const root = document.documentElement;
const address = new URL(location.href);

/** Returns the choice in the address, or the first one. */
function chosen(name) {
  const asked = address.searchParams.get(name);
  return CHOICES[name].includes(asked) ? asked : CHOICES[name][0];
}

/** This address with other parameters; `undefined` takes one away. */
function addressWith(changes) {
  const changed = new URL(address);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) changed.searchParams.delete(name);
    else changed.searchParams.set(name, value);
  }
  return changed.pathname + changed.search;
}

function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function choice(text, changes, isCurrent, lang = "") {
  const link = make("a", { href: addressWith(changes), textContent: text });
  if (lang !== "") link.lang = lang;
  if (isCurrent) link.setAttribute("aria-current", "true");
  return link;
}

function switchOf(name, links) {
  const group = make("div", { className: "switch", role: "group" }, ...links);
  group.setAttribute("aria-label", say[name]);
  return group;
}

function lookSwitches() {
  return Object.entries(CHOICES).map(([name, values]) => {
    const links = values.map((value) => {
      const isLanguage = name === "lang";
      return choice(
        isLanguage ? languageNames[value] : say[value],
        { [name]: value },
        value === chosen(name),
        isLanguage ? value : "",
      );
    });
    return switchOf(name, links);
  });
}

function elementSwitch(shown) {
  const all = choice(say.all, { element: undefined, state: undefined }, shown === undefined);
  const each = Object.keys(states).map((element) =>
    choice(`<${element}>`, { element, state: undefined }, element === shown, "zxx"),
  );
  return switchOf("element", [all, ...each]);
}

/** The element itself, as any page would place it. */
function staged(element, state, keep) {
  const scene = states[element][state];
  const made = document.createElement(element);
  const usual = element === "recharge-form" ? { presets: "10000 20000 50000" } : {};
  const attributes = { ...usual, ...scene.attributes, "session-url": sessionUrlOf(element, state) };
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  const done = () => {
    made.dataset.played = "";
  };
  play(made, scene, keep).then(done, (error) => reportError(error));
  return made;
}

function card(element, state) {
  const link = choice(state, { element, state }, false, "zxx");
  return make("li", {}, make("h3", {}, link), staged(element, state, false));
}

function section(element) {
  const title = make("h2", { lang: "zxx", textContent: `<${element}>` });
  const cards = Object.keys(states[element]).map((state) => card(element, state));
  return make("section", {}, title, make("ul", { className: "cards" }, ...cards));
}

function alone(element, state) {
  const links = Object.keys(states[element]).map((each) => choice(each, { state: each }, each === state, "zxx"));
  const list = make("nav", { className: "states" }, ...links);
  list.setAttribute("aria-label", say.states);
  const bare = make("p", {}, choice(say.bare, { bare: "" }, false));
  const title = make("h2", { lang: "zxx", textContent: `<${element}> ${state}` });
  const stage = make("div", { className: "stage" }, title, staged(element, state, false), bare);
  return make("section", { className: "alone" }, stage, list);
}

function show() {
  const element = address.searchParams.get("element") ?? undefined;
  const state = address.searchParams.get("state") ?? undefined;
  const isElement = element !== undefined && Object.hasOwn(states, element);
  const isState = isElement && state !== undefined && Object.hasOwn(states[element], state);
  if (isState && address.searchParams.has("bare")) {
    root.dataset.bare = "";
    document.querySelector("main").replaceChildren(staged(element, state, true));
    return;
  }
  document.querySelector("#switches").append(elementSwitch(isElement ? element : undefined), ...lookSwitches());
  const shown = document.querySelector("#shown");
  if (isState) shown.append(alone(element, state));
  else shown.append(...(isElement ? [element] : Object.keys(states)).map(section));
  if (!isState && state !== undefined) shown.prepend(make("p", { textContent: say.unknown }));
}

const say = words[chosen("lang")];
Object.assign(root, { lang: chosen("lang"), dir: chosen("dir") });
root.dataset.theme = chosen("theme");
document.title = say.title;
for (const spoken of document.querySelectorAll("[data-word]")) spoken.textContent = say[spoken.dataset.word];
for (const named of document.querySelectorAll("[data-label]"))
  named.setAttribute("aria-label", say[named.dataset.label]);

stageBroker(states);
stageClipboard(UNCOPIED);
/** The table of states, so that tests and screenshots can go through all of it. */
window.cupoStates = states;
show();
