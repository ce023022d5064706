// Before the first paint: the chosen theme (pwa/settings/settings.ts), and the way on from a start that fails.
(() => {
  const root = document.documentElement;
  const fail = ({ target }) => {
    if (target !== window && target.localName !== "script") return;
    root.className = "failed";
    document.querySelector(".not-started button").onclick = () => location.reload();
  };
  addEventListener("error", fail, true);
  const theme = localStorage.getItem("cupo.theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
})();
