/** A sticker set over the chat: every sticker on a checkered ground, and “Add”. */
import { keepPack } from "./actions.js";
import { sheet } from "./dialogs.js";
import { fileUrl, h } from "./dom.js";
import { local, remote, words } from "./store.js";
import { toast } from "./toast.js";

export function showPack(name) {
  const found = Object.keys(remote.sets).find((one) => one.toLowerCase() === name.toLowerCase());
  const set = remote.sets[found];
  if (!set) return toast(words().packGone);
  const kept = (local.added[local.guestId] ?? []).includes(found);
  const count = set.stickers.length;
  const toggle = () => {
    keepPack(found, !kept);
    if (!kept) toast(words().added);
    close();
  };
  const close = sheet(
    set.title,
    words().stickers(count),
    h(
      "div",
      { class: "stickers" },
      set.stickers.map((one) =>
        h("figure", {}, h("img", { src: fileUrl(one.fileId), alt: one.emoji }), h("figcaption", {}, one.emoji)),
      ),
    ),
    local.tab === "guest" &&
      h(
        "button",
        { class: `wide ${kept ? "quiet" : ""}`, onclick: toggle },
        kept ? words().removePack : words().addPack(count),
      ),
  );
}
