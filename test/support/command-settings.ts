/** Settings of a command at the terminal, as those of the tests' service. */
export const commandSettings = Object.freeze({
  authUrl: "http://service.test",
  timeZone: "America/Bogota",
  currency: { code: "COP", numeric: "170", digits: 2 },
  machine: { id: "a test", upMs: () => performance.now() },
  publicOrigin: "http://broker.test",
  webhookPrivate: Object.freeze([]),
  serviceAccess: undefined,
});
