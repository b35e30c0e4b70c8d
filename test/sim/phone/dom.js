/** Small tools of the page. Text always becomes text nodes: nothing from a chat is ever read as HTML. */

/**
 * Makes an element. Properties that start with `on` are listeners; `class`, `data-…` and `aria-…` are attributes;
 * the rest are properties of the element. Children that are false or null are left out.
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class" || name === "for" || name === "role" || /^(data|aria)-/.test(name))
      element.setAttribute(name, value);
    else if (name === "hue") element.style.setProperty("--hue", value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Puts in what looks otherwise than before, and leaves the rest: a button that is held down while news come is still clicked. */
export function redraw(node, ...children) {
  children.forEach((child, index) => {
    const known = node.children[index];
    if (!known) node.append(child);
    else if (!known.isEqualNode(child)) known.replaceWith(child);
  });
  while (node.children.length > children.length) node.lastElementChild.remove();
}

const icons = {
  back: "M15 5l-7 7 7 7",
  more: "M12 5.5v.01M12 12v.01M12 18.5v.01",
  send: "M4.5 12.5L20 4.5l-4.5 15.5-4-6.5zM11.5 13.5L20 4.5",
  photo:
    "M4 7.5A2.5 2.5 0 0 1 6.5 5h11A2.5 2.5 0 0 1 20 7.5v9a2.5 2.5 0 0 1-2.5 2.5h-11A2.5 2.5 0 0 1 4 16.5zM4.5 16l4.5-4.5 4 4 2-2 4.5 4M15.5 9.5v.01",
  clip: "M19 11.500l-7 7a4.500 4.500 0 0 1-6.400-6.400l7.500-7.500a3 3 0 0 1 4.300 4.300l-7.300 7.300a1.500 1.500 0 0 1-2.200-2.200l6.600-6.600",
  file: "M7 3.500h7l4.500 4.500v12.500H7zM13.500 4v4.500H18",
  sticker: "M12 20a8 8 0 1 1 8-8c-4.500 0-8 3.500-8 8zM9 10v.01M15 10v.01M9 14c.8 1 1.800 1.500 3 1.500",
  menu: "M5 7.5h14M5 12h14M5 16.5h9",
  close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  scan: "M4.5 9V6.5a2 2 0 0 1 2-2H9M15 4.5h2.5a2 2 0 0 1 2 2V9M19.5 15v2.5a2 2 0 0 1-2 2H15M9 19.5H6.5a2 2 0 0 1-2-2V15M9 9h2.5v2.5H9zM14.5 14.5v.01M9 15h2.5M15 9v2.5",
  plus: "M12 5.5v13M5.5 12h13",
  check: "M5.5 12.5l4.5 4.5 8.5-9.5",
  person: "M12 12.2a3.8 3.8 0 1 0 0-7.6 3.8 3.8 0 0 0 0 7.6zM4.8 19.8c.8-3.4 3.6-5.2 7.2-5.2s6.400 1.800 7.200 5.200",
  wrench:
    "M14.500 5.500a4.200 4.200 0 0 0-4 5.800l-6 6 2.200 2.200 6-6a4.200 4.200 0 0 0 5.600-5.200l-2.500 2.500-2.300-.6-.6-2.300 2.500-2.300z",
  briefcase:
    "M4.500 8.500h15v10h-15zM9 8.500v-2a1.500 1.500 0 0 1 1.500-1.500h3a1.500 1.500 0 0 1 1.500 1.500v2M4.500 13h15",
  link: "M9.500 14.500l5-5M8 11.500l-2 2a3.200 3.200 0 0 0 4.500 4.500l2-2M16 12.500l2-2a3.200 3.200 0 0 0-4.500-4.500l-2 2",
  stop: "M12 4.500a7.500 7.500 0 1 1 0 15 7.500 7.500 0 0 1 0-15zM6.800 6.800l10.400 10.400",
};

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", icons[name]);
  svg.append(path);
  return svg;
}

const HUES = [262, 335, 22, 168, 205, 292, 44, 110];

/** A round picture with the first letter of a name; the colour belongs to the id. */
export function avatar(id, name, size = "") {
  const hue = HUES[Math.abs(Number(id)) % HUES.length];
  return h(
    "span",
    { class: `avatar ${size}`, hue: String(hue), "aria-hidden": "true" },
    [...name][0]?.toUpperCase() ?? "?",
  );
}

/** The bot's picture: a sticker with a smile. */
export function botAvatar(size = "") {
  return h("span", { class: `avatar bot ${size}`, "aria-hidden": "true" });
}

export function clock(seconds) {
  const time = new Date(seconds * 1000);
  return `${String(time.getHours()).padStart(2, "0")}:${String(time.getMinutes()).padStart(2, "0")}`;
}

/** Where the simulator serves a stored file. */
export function fileUrl(fileId) {
  return `/phone/files/${fileId}`;
}
