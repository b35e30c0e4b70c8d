import { Html, html } from "./html.ts";

const INK = "#2a1b3d";

/** The picture of the hero: stickers as the booth makes them. `title` describes it, `cheer` stands in the bubble. */
export function heroArt(title: string, cheer: string): Html {
  return html`<svg class="art" viewBox="0 0 640 330" role="img" aria-label="${title}">
<defs><filter id="die" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur in="SourceAlpha" stdDeviation="4"/><feComponentTransfer><feFuncA type="linear" slope="30" intercept="-1"/></feComponentTransfer><feComposite in2="SourceAlpha" operator="over" result="edge"/><feFlood flood-color="#fff"/><feComposite in2="edge" operator="in" result="paper"/><feDropShadow in="paper" dx="0" dy="4" stdDeviation="4" flood-color="#1b0d2b" flood-opacity=".35"/><feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter>
<g id="eyes" fill="${INK}"><circle cx="-18" r="5.5"/><circle cx="18" r="5.5"/><g fill="#fff"><circle cx="-16" cy="-2" r="1.8"/><circle cx="20" cy="-2" r="1.8"/></g></g>
<g id="laugh"><path d="M-21 0h42q-3 24-21 24T-21 0z" fill="#6d1a2d"/><path d="M-20 0h40l-2 8h-36z" fill="#fff"/><path d="M-11 19q11-9 22 0-5 5-11 5t-11-5z" fill="#ff8a8a"/></g></defs>
${sticker("translate(118 196) rotate(-8) scale(.98)", ASTRONAUT)}
${sticker("translate(528 192) rotate(8) scale(.98)", KING)}
${sticker("translate(408 184) rotate(3) scale(.94)", ROCK_STAR)}
${sticker("translate(262 186) rotate(-3) scale(1.12)", CHOPON)}
${sticker("translate(545 52) rotate(9)", BUBBLE)}
<text x="545" y="46" transform="rotate(9 545 52)" text-anchor="middle" class="cheer">${cheer}</text>
${sticker("translate(44 62) rotate(-14)", HEART)}
${sticker("translate(352 42) rotate(14) scale(.8)", STAR)}
</svg>`;
}

function sticker(transform: string, drawing: string): Html {
  return html`<g transform="${transform}"><g filter="url(#die)">${new Html(drawing)}</g></g>`;
}

function head(skin: string, cheek: string): string {
  return `<path d="M-17 36h34v34h-34z" fill="${cheek}"/><g fill="${skin}"><circle cx="-46" cy="4" r="10"/><circle cx="46" cy="4" r="10"/><path d="M-46-14q0-40 46-40t46 40v18q0 48-46 48T-46 4z"/></g><g fill="${cheek}"><circle cx="-30" cy="16" r="8"/><circle cx="30" cy="16" r="8"/></g>`;
}

function brows(color: string): string {
  return `<path d="M-27-15q9-7 18-1m18 0q9-6 18 1" stroke="${color}" stroke-width="5" fill="none" stroke-linecap="round"/>`;
}

const EYES = '<use href="#eyes"/>';
const LAUGH = '<use href="#laugh" y="20"/>';
const NOSE = `<path d="M-3 9q3 5 6 0" stroke="${INK}" stroke-opacity=".45" stroke-width="3" fill="none" stroke-linecap="round"/>`;

const ASTRONAUT = `<path d="M-82 116q4-58 44-60h76q40 2 44 60z" fill="#eef2f8"/><path d="M-38 56h76l-8 16h-60z" fill="#b9c6db"/><path d="M-66 116q0-22 5-36l13 4q-5 14-5 32zm132 0q0-22-5-36l-13 4q5 14 5 32z" fill="#ff8a3d"/><rect x="-22" y="84" width="44" height="22" rx="6" fill="#40538a"/><circle cx="-10" cy="95" r="5" fill="#ff5d73"/><circle cx="8" cy="95" r="5" fill="#7be0c3"/><circle r="74" fill="#2b3a6b"/><path d="M-52 34q-10-80 52-84t52 84q-6 16-24 18h-56q-18-2-24-18z" fill="#5b2c1d"/>${head("#f6c79f", "#ee9d85")}<path d="M-47-6q4-34 34-40 34 22 58 36 6-46-45-48t-47 52z" fill="#5b2c1d"/>${brows("#5b2c1d")}${EYES}${NOSE}${LAUGH}<circle r="74" fill="none" stroke="#eef2f8" stroke-width="13"/><circle r="67" fill="#9fd3ff" fill-opacity=".07"/><path d="M-50-32q14-24 36-30" stroke="#fff" stroke-width="9" fill="none" stroke-linecap="round"/><rect x="-92" y="-16" width="20" height="36" rx="9" fill="#ff8a3d"/><rect x="72" y="-16" width="20" height="36" rx="9" fill="#ff8a3d"/>`;

const CHOPON = `<path d="M-88 124q0-60 48-66h80q48 6 48 66z" fill="#127f86"/><path d="M-70 124q0-38 12-58l12-6q-12 30-10 64zm30 0q-4-40 6-66h10l-2 66zm110 0q0-38-12-58l-12-6q12 30 10 64zm-30 0q4-40-6-66h-10l2 66z" fill="#ffc53d"/><path d="M-54 124q-2-34 9-62l5-1q-10 30-8 63zm108 0q2-34-9-62l-5-1q10 30 8 63z" fill="#d9304f"/><path d="M-24 56 0 100 24 56z" fill="#fff"/><path d="M-30 56q2 40 26 68h8q24-28 26-68h-9L0 98-21 56z" fill="#d9304f"/>${head("#e9b088", "#d98a6c")}<path d="M-47-8q-4-26 6-38h82q10 12 6 38-8-6-10-18h-74q-2 12-10 18z" fill="#231815"/><path d="M-50-32q0-16 8-34l14-14h56l14 14q8 18 8 34-50-12-100 0z" fill="#1d2430"/><path d="M-50-32q50-12 100 0v-9q-50-12-100 0z" fill="#fff"/><path d="M-46-37q46-10 92 0" stroke="#d9304f" stroke-width="3" stroke-dasharray="5 5" fill="none"/><g fill="#fff"><path d="M-26-50q-8-12 4-24 1 9 6 13t-10 11zm52 0q8-12-4-24-1 9-6 13t10 11zM0-54q-9-9 0-23 9 14 0 23z"/></g><path d="M-24-15q8-6 16-1m16 0q8-5 16 1" stroke="#231815" stroke-width="5" fill="none" stroke-linecap="round"/>${EYES}${NOSE}${LAUGH}<path d="M0 15q-8-5-14 1-4 4-11 3 6 7 15 4 7-2 10-3 3 1 10 3 9 3 15-4-7 1-11-3-6-6-14-1z" fill="#231815"/>`;

const ROCK_STAR = `<path d="M-82 122q2-60 44-64h76q42 4 44 64z" fill="#29242f"/><path d="m-22 57 22 26 22-26 16 2L8 122H-8L-38 59z" fill="#4b4356"/><path d="m-10 80 10 10 10-10v42h-20z" fill="#f4f0f8"/><path d="m-58 84 12-3-3 11 11-1-20 22 4-13-10 2z" fill="#ffc53d"/>${head("#c98a63", "#b26a4d")}<path d="M-47-4q-4-28 12-42h70q16 14 12 42-8-12-8-22-38-16-78 0 0 10-8 22z" fill="#3a2118"/><path d="M-34-44q-16-18-12-40 10 4 16 12-2-22 8-36 10 8 14 22 4-18 18-26 4 14 2 28 10-12 24-12-4 12-8 22 10-4 20 0-10 22-32 30-20-8-50 0z" fill="#ff3f8e"/><g fill="#ffc53d" stroke="${INK}" stroke-width="4" stroke-linejoin="round"><path id="s" d="m-21-23 7 14 15 2-11 11 3 15-14-7-14 7 3-15-11-11 15-2z"/><use href="#s" x="42"/></g><g fill="${INK}" fill-opacity=".75"><circle cx="-21" cy="-1" r="9"/><circle cx="21" cy="-1" r="9"/></g><use href="#laugh" y="24"/>`;

const KING = `<path d="M-84 122q0-56 46-64h76q46 8 46 64z" fill="#c5213f"/><path d="M-58 122q-4-46 20-66h76q24 20 20 66-20-6-24-34L0 110l-34-22q-4 28-24 34z" fill="#fffaf0"/><g fill="${INK}"><path d="m-44 92 3 9-7-2zm12-22 5 8-8 1zm88 22-3 9 7-2zM32 70l-5 8 8 1zM0 92l4 9h-8z"/></g>${head("#f9d3b4", "#f2a58f")}<path d="M-47 2q-6-36 8-50h78q14 14 8 50-8-8-8-28-40 8-78 0 0 20-8 28z" fill="#c76a1e"/><path d="M-46 12q4 50 46 50t46-50q-8 8-18 4-12-8-28-4-16-4-28 4-10 4-18-4z" fill="#c76a1e"/><path d="M-52-38l-8-58 30 26L0-106l30 36 30-26-8 58q-52 12-104 0z" fill="#ffc53d"/><path d="M-52-38q52 12 104 0l2-14q-54 12-108 0z" fill="#f29d1f"/><circle cy="-62" r="9" fill="#127f86"/><circle cx="-34" cy="-58" r="6" fill="#d9304f"/><circle cx="34" cy="-58" r="6" fill="#d9304f"/><g fill="#fff3cf"><circle cx="-60" cy="-96" r="6"/><circle cy="-106" r="7"/><circle cx="60" cy="-96" r="6"/></g>${brows("#9a4d10")}<circle cx="-18" r="5.5" fill="${INK}"/><circle cx="-16" cy="-2" r="1.8" fill="#fff"/><path d="M10 1q8-8 16 0" stroke="${INK}" stroke-width="5" fill="none" stroke-linecap="round"/>${NOSE}<use href="#laugh" y="23"/>`;

const BUBBLE = `<path d="M-62-30q0-14 16-14h92q16 0 16 14v30q0 14-16 14h-38l-26 20 4-20h-32q-16 0-16-14z" fill="#d9304f"/>`;
const HEART = '<path d="M0 30C-44 2-34-26-16-26q11 0 16 12 5-12 16-12C34-26 44 2 0 30z" fill="#ff3f8e"/>';
const STAR = '<path d="m0-32 9 21 23 2-17 15 5 23L0 17l-20 12 5-23-17-15 23-2z" fill="#ffc53d"/>';
