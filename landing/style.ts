/** The page's whole look. It stands in the page itself: one request, nothing to wait for. */
export const STYLE = `
:root{--paper:#fff3df;--dot:#f6dfbb;--ink:#2a1b3d;--soft:#5d4d6e;--card:#fff;--line:#8d7f9c;--accent:#c5213f;--on-accent:#fff;--mark:#ffc53d;--on-mark:#2a1b3d;--edge:#fff;--bad:#b3122f;--bad-paper:#ffeef0;--shadow:rgba(62,32,84,.16)}
@media (prefers-color-scheme:dark){:root{--paper:#1b1226;--dot:#291c38;--ink:#f8eee1;--soft:#c9bbd6;--card:#281c36;--line:#8a7a9b;--accent:#ff8095;--on-accent:#2a0a14;--bad:#ff9aaa;--bad-paper:#43182a;--shadow:rgba(0,0,0,.45)}}
*,::before{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0;color:var(--ink);background:var(--paper) radial-gradient(var(--dot) 1.6px,transparent 1.7px) 0 0/22px 22px;font:16px/1.5 ui-rounded,"SF Pro Rounded",system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
header,main,footer{max-width:1160px;margin:auto;padding:0 20px}
header{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:center;gap:4px 16px;padding-top:14px}
.brand{margin:0;font-weight:800;letter-spacing:-.01em}
nav ul{display:flex;margin:0 -7px;padding:0;list-style:none;font-size:14.5px}
nav a{display:block;padding:10px 7px;color:var(--soft)}
nav a[aria-current]{color:var(--ink);font-weight:700;text-decoration:none}
a{color:inherit;text-underline-offset:3px}
h1,h2,h3,p{margin:0}
h1{font-size:clamp(33px,8.6vw,54px);line-height:1.08;letter-spacing:-.025em;font-weight:850;text-wrap:balance}
h2{font-size:24px;line-height:1.2;letter-spacing:-.015em;text-wrap:balance}
.mark{display:inline-block;padding:0 .16em .05em;color:var(--on-mark);background:var(--mark);border:4px solid var(--edge);border-radius:.24em;box-shadow:0 3px 9px var(--shadow);transform:rotate(-2deg)}
.lead{max-width:36em;margin-top:14px;font-size:clamp(17px,1.4vw,19px);color:var(--soft)}
.jump{margin-top:18px}
.art{display:block;width:100%;max-width:660px;height:auto;margin:10px auto 0;overflow:visible}
.cheer{fill:#fff;font-size:29px;font-weight:800}
main{display:grid;gap:30px;padding-top:14px;padding-bottom:28px}
main>*{min-width:0}
.steps{display:grid;gap:14px;margin:14px 0 0;padding:0;list-style:none;counter-reset:step}
.steps li{counter-increment:step;position:relative;padding-left:52px;min-height:42px}
.steps li::before{content:counter(step);position:absolute;left:0;top:0;width:42px;height:42px;border:4px solid var(--edge);border-radius:50%;background:#127f86;color:#fff;font-weight:800;font-size:17px;line-height:33px;text-align:center;box-shadow:0 3px 8px var(--shadow);transform:rotate(-6deg)}
.steps li:nth-child(2)::before{background:#c5213f;transform:rotate(5deg)}
.steps li:nth-child(3)::before{background:#5b3fb0}
.steps h3{font-size:17px;line-height:1.3}
.steps p{color:var(--soft);font-size:15.5px;line-height:1.42}
.card{align-self:start;padding:22px 20px;border-radius:22px;background:var(--card);box-shadow:0 10px 34px var(--shadow);scroll-margin-top:12px}
.card>p{margin-top:4px;color:var(--soft)}
form{display:grid;grid-template-columns:1fr 1fr;gap:12px 12px;margin-top:14px}
.name,.contact,.comment,form>.button,form>.hint{grid-column:1/-1}
.field{min-width:0}
label{display:block;margin-bottom:3px;font-weight:650;font-size:15px}
input,select,textarea{display:block;width:100%;min-height:46px;padding:9px 12px;color:inherit;background:var(--card);border:1.5px solid var(--line);border-radius:12px;font:inherit}
textarea{resize:vertical}
select{padding-right:4px}
[aria-invalid]{border-color:var(--bad);border-width:2px}
.hint{color:var(--soft);font-size:14px;margin-top:3px}
.error{color:var(--bad);font-size:14.5px;font-weight:600;line-height:1.35;margin-top:4px}
.notice{margin-top:14px;padding:12px 14px;border-left:5px solid var(--bad);border-radius:10px;background:var(--bad-paper)}
.notice ul{margin:6px 0 0;padding-left:20px}
.contacts{display:inline-flex;flex-wrap:wrap;gap:2px 18px}
.contacts a{display:inline-block;padding:6px 0;font-weight:650}
.whole{white-space:nowrap}
.notice .contacts{margin-top:4px}
.button{display:inline-block;min-height:50px;padding:12px 24px;border:0;border-radius:15px;background:var(--accent);color:var(--on-accent);font:inherit;font-size:17px;font-weight:750;text-align:center;text-decoration:none;cursor:pointer}
.button:hover{filter:brightness(1.08)}
.button[aria-disabled]{opacity:.75;cursor:progress}
.quiet{background:none;color:inherit;border:2px solid var(--line);padding:10px 22px}
.thanks{order:-1;text-align:center;padding:40px 24px}
.thanks h2::before{content:"✓";display:block;width:76px;height:76px;margin:0 auto 18px;border:5px solid var(--edge);border-radius:50%;background:#127f86;color:#fff;font-size:38px;line-height:64px;box-shadow:0 4px 12px var(--shadow);transform:rotate(-6deg)}
.thanks p{margin-top:12px}
main:has(.thanks) .jump{display:none}
footer{padding-bottom:28px;color:var(--soft)}
footer p{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 18px}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
h2:focus{outline:0}
.skip,.unseen,.website{position:absolute;left:-9999px;width:1px;height:1px;overflow:hidden}
.skip:focus{left:12px;top:8px;width:auto;height:auto;padding:10px 16px;background:var(--card);border-radius:10px;z-index:1}
@media (min-width:900px){
.thanks{order:0}
header{padding-top:8px}
main{grid-template-columns:minmax(0,1fr) 420px;gap:52px;align-items:center;padding-top:4px;padding-bottom:14px}
h1{font-size:clamp(38px,3.9vw,50px)}
.jump{display:none}
.hero{position:sticky;top:14px;align-self:start}
main>.card:only-child{grid-column:1/-1;justify-self:center;width:min(100%,560px);margin:8vh 0}
.art{margin-top:2px;max-width:620px}
.steps{grid-template-columns:repeat(3,1fr);gap:20px;margin-top:8px}
.steps li{padding:46px 0 0}
.card{align-self:center;padding:22px 28px 18px}
.card h2{font-size:23px}
.card>p{font-size:15.5px;line-height:1.4}
form{gap:8px 12px;margin-top:10px}
label{margin-bottom:1px;font-size:14.5px}
input,select,textarea{min-height:42px;padding:7px 12px}
.hint{margin-top:1px;font-size:13.5px}
footer{padding-bottom:14px}
}
@media (prefers-reduced-motion:no-preference){
.art>g{transition:translate .25s}
.art>g:hover{translate:0 -6px}
}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
`.replace(/\n/g, "");
