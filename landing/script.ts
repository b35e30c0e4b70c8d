/**
 * The page's only script. Without it the form is posted and the page comes again; with it the same answer is
 * fetched and only the card is exchanged, so that a lost connection costs nobody what they typed, and the
 * request keeps its id over every try. It fills in nothing and checks nothing: the server does.
 */
export const SCRIPT = `
(function () {
  var busy = false;
  document.addEventListener("submit", async function (event) {
    var form = event.target;
    if (form.id !== "form") return;
    event.preventDefault();
    if (busy) return;
    busy = true;
    var button = form.querySelector("button");
    var label = button.textContent;
    var offline = document.getElementById("offline");
    offline.hidden = true;
    form.setAttribute("aria-busy", "true");
    button.setAttribute("aria-disabled", "true");
    button.textContent = form.dataset.sending;
    try {
      var signal = AbortSignal.timeout ? AbortSignal.timeout(25000) : undefined;
      var answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), signal: signal });
      var page = new DOMParser().parseFromString(await answer.text(), "text/html");
      var fresh = page.getElementById("request");
      if (!fresh) throw new Error("the answer is not our page");
      document.getElementById("request").replaceWith(fresh);
      if (answer.redirected) history.replaceState(null, "", answer.url);
      show(fresh.querySelector("[data-focus]") || fresh);
    } catch (error) {
      offline.hidden = false;
      show(offline);
    }
    busy = false;
    form.removeAttribute("aria-busy");
    button.removeAttribute("aria-disabled");
    button.textContent = label;
  });
  function show(element) {
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "center" });
  }
})();
`;
