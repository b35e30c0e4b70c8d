// A try-out: an outfit drawn on a photo, before guests see it.
import { askFor, field, h } from "./dom.js";
import { get, post } from "./server.js";
import { age } from "./words.js";

const LOOK_MS = 1000;

export function tryOut(outfit) {
  const result = h("div", { role: "status" });
  let closed = false;
  const dialog = askFor(
    `Try “${outfit.title_en}” on a photo`,
    [
      field(
        "Photo",
        h("input", { name: "photo", type: "file", accept: "image/jpeg,image/png,image/webp", required: true }),
        "Of somebody who agreed. It is deleted like guests' photos.",
      ),
      field(
        "What the person wears",
        h("textarea", { name: "prompt", required: true, maxlength: 1000, value: outfit.prompt }),
        "Change it here to try; nothing is saved. One try costs as much as a pack.",
      ),
      result,
    ],
    "Draw it",
    async ({ photo, prompt }) => {
      const { id } = await post("tryouts", { template_id: outfit.id, prompt, photo });
      await follow(id, result, () => closed);
    },
    { keepOpen: true },
  );
  dialog.addEventListener("close", () => {
    closed = true;
  });
}

/** Asks until it is drawn, or nobody looks any more. */
async function follow(id, result, isClosed) {
  const began = Date.now();
  while (!isClosed()) {
    const { status, problem, files } = await get(`tryouts/${id}`);
    if (status === "done" || status === "failed") {
      result.replaceChildren(
        ...(problem
          ? [h("p", { class: "bad" }, `${status === "failed" ? "It was not drawn" : "A doubt"}: ${problem}.`)]
          : []),
        h(
          "div",
          { class: "pictures" },
          files.map(({ name, url }) =>
            h(
              "a",
              { href: url, target: "_blank", class: name.startsWith("sheet") ? "large" : "" },
              h("img", { src: url, alt: name }),
            ),
          ),
        ),
      );
      return;
    }
    const words = status === "waiting" ? "It waits for the bot" : "It is drawn";
    result.replaceChildren(h("p", { class: "soft" }, `${words} … ${age((Date.now() - began) / 1000)}`));
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
