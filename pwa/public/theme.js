// Runs before the first paint, so that no theme flashes up before the chosen one (pwa/settings/settings.ts).
(() => {
  const theme = localStorage.getItem("cupo.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
})();
