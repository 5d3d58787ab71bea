/** Style sheet of the reference: light or dark as the reader's system, one column on phones, code beside the text on wide screens. */
export const style = `
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5b6675;--line:#e3e7ec;--paper:#fff;--tint:#f6f8fa;--link:#3450c4;--code:#10182b;--code-ink:#dbe4f5;--code-soft:#8fa0bd;--name:#9ecbff;--text:#b5e0a8;--get:#0b6e4f;--post:#3450c4;--patch:#8a5a00;--delete:#b3261e;--required:#a5371f}
@media (prefers-color-scheme:dark){:root{--ink:#e4e9f1;--soft:#9aa6b6;--line:#2a323e;--paper:#12161d;--tint:#1a2029;--link:#9db4ff;--code:#0a0e15;--get:#63d3a6;--post:#9db4ff;--patch:#e9b44c;--delete:#ff9a90;--required:#ffab91}}
*{box-sizing:border-box}
html{scroll-padding-top:4rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
a{color:var(--link);text-underline-offset:.15em}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
.skip{position:absolute;top:.5rem;left:-999px}.skip:focus{left:1rem;background:var(--paper);padding:.5rem;z-index:3}
header{position:sticky;top:0;z-index:2;display:flex;gap:1rem;align-items:center;height:3.25rem;padding:0 1.25rem;background:var(--paper);border-bottom:1px solid var(--line);font-size:.875rem;color:var(--soft)}
header .brand{font-weight:700;font-size:1.05rem;color:var(--ink);text-decoration:none;letter-spacing:-.01em}header a:last-child{margin-left:auto}
nav{padding:.75rem 1.25rem;font-size:.9rem;border-bottom:1px solid var(--line)}
nav ul{list-style:none;margin:0;padding:0}nav summary{cursor:pointer;font-weight:600;padding:.4rem 0}
nav li a{display:flex;gap:.5rem;align-items:baseline;padding:.3rem 0;color:inherit;text-decoration:none}nav li a:hover{color:var(--link)}
nav .method{flex:none;width:3.4rem;font-size:.65rem}nav ul+details,nav details+details,nav .last{border-top:1px solid var(--line)}.wide{display:none}
main{padding:1.25rem;min-width:0}
h1{font-size:2rem;line-height:1.2;letter-spacing:-.02em;margin:1rem 0 .5rem}
h2{font-size:1.5rem;line-height:1.25;letter-spacing:-.01em;margin:0 0 .5rem}
h3{font-size:1.125rem;line-height:1.35;margin:0 0 .5rem}
h4{font-size:.8rem;font-weight:600;color:var(--soft);margin:1.5rem 0 .25rem}
section{border-top:1px solid var(--line);padding-top:2.5rem;margin-top:2.5rem}#top{border:0;padding:0;margin:0}
.lead{color:var(--soft);max-width:42rem;margin:.25rem 0 1rem}
article{padding:1.75rem 0;border-top:1px solid var(--line)}
.said{min-width:0}.said p{max-width:42rem}.shown{min-width:0;margin-top:1.25rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.85em}
p code,dd code,small code{background:var(--tint);border-radius:4px;padding:.1em .3em;overflow-wrap:anywhere}
.address{margin:.25rem 0;overflow-wrap:anywhere}var{font-style:normal;color:var(--link)}
.method{font:700 .75rem/1 ui-monospace,SFMono-Regular,Menlo,monospace;color:var(--soft)}
.get{color:var(--get)}.post{color:var(--post)}.put,.patch{color:var(--patch)}.delete{color:var(--delete)}
.fields{margin:0}.fields>div{padding:.6rem 0;border-top:1px solid var(--line)}
dt{overflow-wrap:anywhere}dt code{font-weight:600}.type{font-size:.8rem;color:var(--soft);margin-left:.25rem}
.required{font-size:.75rem;font-weight:600;color:var(--required);margin-left:.25rem}
dd{margin:.1rem 0 0;font-size:.925rem}dd small{display:block;color:var(--soft);font-size:.825rem;overflow-wrap:anywhere}
.note{font-size:.875rem;color:var(--soft);margin:1rem 0 0}
figure{margin:0 0 1rem;background:var(--code);color:var(--code-ink);border-radius:8px;overflow:hidden}
figcaption{padding:.5rem 1rem;font-size:.75rem;color:var(--code-soft);border-bottom:1px solid #ffffff14}
pre{margin:0;padding:.85rem 1rem;overflow:auto;max-height:26rem;line-height:1.55}pre b{font-weight:400;color:var(--name)}pre i{font-style:normal;color:var(--text)}
pre:has(code:empty){display:none}
.object{border-top:1px solid var(--line);padding:.75rem 0}.object summary{cursor:pointer}.object summary code{font-weight:600}
@media (min-width:60rem){
.columns{display:grid;grid-template-columns:17rem minmax(0,1fr);max-width:92rem;margin:auto}
.narrow{display:none}.wide{display:block;position:sticky;top:3.25rem;height:calc(100vh - 3.25rem);overflow:auto;border-bottom:0;border-right:1px solid var(--line)}
main{padding:1.5rem 2.5rem}
article{display:grid;grid-template-columns:minmax(0,1.1fr) minmax(0,1fr);gap:2.5rem}
.shown{margin:0}.shown>*{position:relative}
}
`.trim();
