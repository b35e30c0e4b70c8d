// A try-out: an outfit drawn on a photo, before guests see it.
import { age } from "../format.js";
import { say } from "../lang.js";
import { askFor, STAY } from "../parts/dialog.js";
import { h } from "../parts/dom.js";
import { field, PICTURES } from "../parts/form.js";
import { get, post, Refusal } from "../server.js";
import { titleOf } from "./outfits.js";

/** @typedef {import("../answers.ts").Answers["tryout"]} Tryout */

const LOOK_MS = 1000;
const PROMPT_LENGTH = 1000;

/** @param {import("../answers.ts").Outfit} outfit */
export function tryOut(outfit) {
  const result = h("div", { role: "status" });
  const about = { name: "prompt", required: true, maxlength: PROMPT_LENGTH, value: outfit.prompt };
  let closed = false;
  const dialog = askFor(
    say("tryout.title", { title: titleOf(outfit) }),
    [
      field(
        say("tryout.photo"),
        h("input", { name: "photo", type: "file", accept: PICTURES, required: true }),
        say("tryout.photo_about"),
      ),
      field(say("outfit.prompt"), h("textarea", about), say("tryout.prompt_about")),
      result,
    ],
    say("tryout.draw"),
    async ({ photo, prompt }) => {
      const { id } = await post("tryouts", { template_id: outfit.id, prompt, photo });
      await follow(id, result, () => closed);
      return STAY;
    },
    { closes: true },
  );
  dialog.addEventListener("close", () => {
    closed = true;
  });
}

/** Asks until it is drawn, or nobody looks any more. @param {number} id @param {HTMLElement} result @param {() => boolean} isClosed */
async function follow(id, result, isClosed) {
  const began = Date.now();
  while (!isClosed()) {
    const tryout = await get("tryout", `tryouts/${id}`).catch(unlessGone);
    if (!(tryout instanceof Refusal) && (tryout.status === "done" || tryout.status === "failed")) {
      result.replaceChildren(...drawn(tryout));
      return;
    }
    const passed = age((Date.now() - began) / 1000);
    result.replaceChildren(h("p", { class: "soft" }, wordsOf(tryout, passed)));
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** The booth draws on, whether or not it answers this once. @param {unknown} error */
function unlessGone(error) {
  if (error instanceof Refusal && (error.status === 0 || error.status >= 500)) return error;
  throw error;
}

/** @param {Tryout | Refusal} tryout @param {string} passed */
const wordsOf = (tryout, passed) =>
  tryout instanceof Refusal
    ? tryout.message
    : say(tryout.status === "waiting" ? "tryout.waiting" : "tryout.drawing", { age: passed });

/** @param {Tryout} tryout */
function drawn({ status, problem, files }) {
  const pictures = files.map(({ name, url }) =>
    h(
      "a",
      { href: url, target: "_blank", class: name.startsWith("sheet") ? "large" : "" },
      h("img", { src: url, alt: name }),
    ),
  );
  const words = problem && say(status === "failed" ? "tryout.failed" : "tryout.doubt", { problem });
  return [...(words ? [h("p", { class: "bad" }, words)] : []), h("div", { class: "pictures" }, pictures)];
}
