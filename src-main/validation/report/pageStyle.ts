// The look of the report, on screen and on paper.
export const pageStyle = `
body { margin: 2rem auto; max-width: 1320px; padding: 0 1.5rem; font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; }
h1 { font-size: 1.7rem; margin: 0; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 0.5rem; border-bottom: 1px solid #ccc; padding-bottom: 0.2rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 0.3rem; }
p { margin: 0.3rem 0 0.6rem; }
.verdict { font-size: 1.15rem; font-weight: 600; }
.verdict.pass { color: #2c7a3f; }
.verdict.fail { color: #b3261e; }
.besides { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2rem; }
.figures { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; }
figure { margin: 0.5rem 0; max-width: 640px; }
figcaption { font-weight: 600; }
figure p { max-width: 620px; color: #555; font-size: 0.9rem; }
figure svg, figure img { max-width: 100%; height: auto; }
table { border-collapse: collapse; margin: 0.3rem 0 0.8rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 0.15rem 0.9rem 0.15rem 0; border-bottom: 1px solid #e4e4e4; vertical-align: top; }
th { font-weight: 600; border-bottom-color: #999; }
.number, td:first-child { white-space: nowrap; }
.number { text-align: right; }
.criteria tr.pass td:last-child { color: #2c7a3f; }
.criteria tr.fail td { color: #b3261e; font-weight: 600; }
.aside { color: #666; font-size: 0.9rem; }
@media (max-width: 900px) { .besides { grid-template-columns: 1fr; } }
@media print { section { break-before: page; } figure { break-inside: avoid; } }
`;
