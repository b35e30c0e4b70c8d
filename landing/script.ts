/**
 * The page's only script. Without it the form is posted and the page comes again; with it the same answer is
 * fetched and only the card is exchanged, so that a lost connection costs nobody what they typed, and the
 * request keeps its id over every try. It fills in nothing and checks nothing: the server does. Only an answer that
 * holds what was typed, or the thanks, takes the card's place; of any other the notice is shown above the form as it is.
 * What is typed while an answer is on its way stays.
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
    var fields = Array.from(form.elements);
    var sent = fields.map(function (field) { return field.value; });
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
      var card = document.getElementById("request");
      var focus = fresh.querySelector("[data-focus]");
      var thanks = answer.ok && !fresh.querySelector("#form");
      if (thanks || [422, 429, 503].includes(answer.status)) {
        fields.forEach(function (field, at) {
          var there = field.value !== sent[at] && fresh.querySelector("#" + field.id);
          if (there) there.value = field.value;
        });
        card.replaceWith(fresh);
        if (answer.redirected) history.replaceState(null, "", answer.url);
        show(focus || fresh);
      } else {
        if (!focus) throw new Error("the answer is an empty form");
        var old = card.querySelector(".notice[data-focus]");
        if (old) old.replaceWith(focus);
        else offline.before(focus);
        show(focus);
      }
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
