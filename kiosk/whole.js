// Where a file of the page was lost on its way nothing else may run: this script needs none of the others.
window.addEventListener("load", () => {
  const askEveryMs = 5000;
  try {
    // The rules of a style that did not come throw.
    if (document.body.dataset.screen && [...document.styleSheets].every(({ cssRules }) => cssRules)) return;
  } catch {}
  const reload = () => location.reload();
  setInterval(() => fetch("/").then(reload, () => {}), askEveryMs);
});
