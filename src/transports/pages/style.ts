// The one stylesheet of the service's pages. It stands in the page itself and its hash in the page's policy, so that a page is one
// answer and asks for nothing more. Light or dark as the reader has it; wide enough for a phone and no wider than a letter.

export const STYLE = `
:root{color-scheme:light dark;--paper:#f6f7f9;--card:#fff;--ink:#16181d;--quiet:#565d6b;--line:#d9dde4;--main:#1f5fd6;--on-main:#fff;--note:#fff4d6;--note-ink:#5b4300;--ring:#1f5fd6;--bad:#a4121f}
@media (prefers-color-scheme:dark){:root{--paper:#101216;--card:#191c22;--ink:#eceef2;--quiet:#a5adbb;--line:#333945;--main:#7aa7ff;--on-main:#0c1426;--note:#3a2f10;--note-ink:#ffe3a1;--ring:#9dbdff;--bad:#ff9aa2}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;grid-template-columns:minmax(0,1fr);place-items:center;padding:1.25rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;min-width:0;max-width:27rem;padding:1.75rem;background:var(--card);border:1px solid var(--line);border-radius:.9rem}
h1{margin:0 0 .35rem;font-size:1.4rem;line-height:1.25;overflow-wrap:anywhere}
p{margin:.35rem 0 1rem;color:var(--quiet);overflow-wrap:anywhere}
dl{margin:1.25rem 0;display:grid;grid-template-columns:auto 1fr;gap:.5rem 1rem;border-block:1px solid var(--line);padding:1rem 0}
dt{color:var(--quiet)}
dd{margin:0;text-align:end;font-weight:600;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.note{margin:1.25rem 0;padding:.7rem .9rem;border-radius:.6rem;background:var(--note);color:var(--note-ink);font-weight:600}
form{display:flex;flex-wrap:wrap;gap:.6rem}
button,a.button{flex:1 1 9rem;min-height:3rem;padding:.7rem 1rem;border:1px solid var(--line);border-radius:.6rem;background:transparent;color:inherit;font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;display:inline-block}
button.main,a.main{background:var(--main);border-color:var(--main);color:var(--on-main)}
main.wide{max-width:44rem}
h2{margin:1.5rem 0 .35rem;font-size:1.1rem}
strong{color:var(--ink)}
.small{font-size:.9rem}
.error{color:var(--bad);font-weight:600}
form+form,form+p,nav+p{margin-top:1.25rem}
form>p{flex:1 1 100%;margin:0}
nav{display:flex;flex-wrap:wrap;gap:.6rem}
label{flex:1 1 100%;font-weight:600}
input,select{flex:1 1 100%;width:100%;min-width:0;min-height:3rem;padding:.6rem .8rem;border:1px solid var(--quiet);border-radius:.6rem;background:var(--paper);color:inherit;font:inherit}
input[aria-invalid]{border-color:var(--bad)}
[hidden],input[type=hidden]{display:none}
input.code{font-size:1.4rem;letter-spacing:.15em;text-transform:uppercase;font-variant-numeric:tabular-nums}
ul{margin:.35rem 0 1rem;padding-inline-start:1.25rem}
a{color:var(--main)}
a.button{color:inherit}
a.main{color:var(--on-main)}
:focus-visible{outline:3px solid var(--ring);outline-offset:2px}
@media (prefers-reduced-motion:no-preference){button,a.button{transition:filter .12s}}
button:hover,a.button:hover{filter:brightness(1.08)}
`;
