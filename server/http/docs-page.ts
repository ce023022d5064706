/**
 * The page of `/docs`. Its addresses are relative to `/docs`, so that it also works below a path of a proxy. All of its
 * parts come from the same origin: the page works without any other network.
 */
export const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Cupo: reference</title>
    <link rel="icon" type="image/svg+xml" href="docs/mark.svg">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/page.css">
  </head>
  <body>
    <header><img src="docs/mark.svg" alt=""> Cupo <a href="openapi.json">openapi.json</a></header>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. All that it shows is in <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/page.js"></script>
  </body>
</html>
`;

/**
 * The script of the page of `/docs`: starts Swagger UI, dark where the reader prefers that. The operations come first:
 * of the document's guide the introduction stands above them, and the rest below. Operations that ask for a token can
 * be tried; those that ask for a merchant's key are only shown. No validator: it is a third party's service.
 */
export const docsScript = `const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followScheme);
followScheme();

const withGuide = (source) => () => ({
  wrapComponents: {
    BaseLayout: (Original, { React }) => (props) => {
      const markdown = React.createElement(props.getComponent("Markdown", true), { source });
      const guide = React.createElement("section", { id: "guide", className: "swagger-ui wrapper" }, markdown);
      return React.createElement("div", null, React.createElement(Original, props), guide);
    },
  },
});

const withoutKeys = () => ({
  wrapComponents: { AuthorizeBtnContainer: () => () => null, authorizeOperationBtn: () => () => null },
});

async function show() {
  const response = await fetch("openapi.json");
  if (!response.ok) throw new Error("openapi.json was answered " + response.status);
  const spec = await response.json();
  const [introduction, ...guide] = spec.info.description.split(/^(?=## )/m);
  const below = "[How it works, and the errors by code](#guide) stand below the operations.";
  spec.info.description = introduction + "\\n\\n" + below;
  document.title = spec.info.title + ": reference";
  // Tokens last an hour; a server key lasts, and belongs into no page.
  const hasTokens = Object.hasOwn(spec.components.securitySchemes, "bearer");
  SwaggerUIBundle({
    spec,
    plugins: [withGuide(guide.join("")), ...(hasTokens ? [] : [withoutKeys])],
    ...(hasTokens ? {} : { supportedSubmitMethods: [] }),
    dom_id: "#reference",
    deepLinking: true,
    docExpansion: "list",
    defaultModelExpandDepth: 3,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    filter: true,
    showExtensions: false,
    syntaxHighlight: { activated: false },
    validatorUrl: null,
  });
}

show().catch((error) => {
  document.getElementById("reference").textContent = "The reference cannot be shown: " + error.message;
});
`;

/** The style sheet of the page of `/docs`: the product's look over that of Swagger UI, and what that leaves open. */
export const docsStyle = `:root {
  color-scheme: light dark;
  --paper: light-dark(#f7f6f2, #0e1513);
  --surface: light-dark(#ffffff, #17211e);
  --ink: light-dark(#12201c, #eef4f1);
  --ink-soft: light-dark(#52635d, #a3b5ae);
  --line: light-dark(#dfe3dd, #2a3733);
  --brand: light-dark(#0b6e5f, #57d3b8);
  --on-brand: light-dark(#ffffff, #06231d);
}
html, html.dark-mode { background: var(--paper); }
html.dark-mode :is(body, .swagger-ui) { background: none; }
body { margin: 0; color: var(--ink); font: 400 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
header {
  display: flex; align-items: center; gap: 12px; padding: 12px 20px;
  background: var(--surface); border-bottom: 1px solid var(--line); font-weight: 600;
}
header img { width: 28px; height: 28px; }
header a { margin-inline-start: auto; font-weight: 400; color: var(--brand); }
.swagger-ui, .swagger-ui :is(.info *, .opblock-tag, .opblock-summary-description, .renderedMarkdown *, .btn, label, p) {
  font-family: inherit;
}
.swagger-ui .renderedMarkdown code, .swagger-ui .renderedMarkdown pre { font-family: ui-monospace, monospace; }
.swagger-ui :is(.info .title, .info p, .info li, .opblock-tag, .renderedMarkdown :is(h2, p, li, td, th)) {
  color: var(--ink);
}
html:root .swagger-ui :is(.renderedMarkdown a, .info a) { color: var(--brand); }
html:root .swagger-ui .renderedMarkdown :is(p, td, li) code {
  background: var(--surface); color: var(--ink);
}
.swagger-ui .info { margin: 32px 0; }
html:root .swagger-ui .scheme-container { background: none; box-shadow: none; border-bottom: 1px solid var(--line); }
.swagger-ui .opblock { border-radius: 12px; box-shadow: none; }
.swagger-ui .opblock-tag { border-bottom-color: var(--line); }
.swagger-ui .btn.authorize { border-color: var(--brand); color: var(--brand); }
.swagger-ui .btn.authorize svg { fill: var(--brand); }
.swagger-ui .btn.execute { background: var(--brand); border-color: var(--brand); color: var(--on-brand); }
.swagger-ui .filter .operation-filter-input { border: 1px solid var(--ink-soft); border-radius: 8px; }
.swagger-ui .renderedMarkdown table { display: block; max-width: 100%; overflow-x: auto; }
.swagger-ui .renderedMarkdown td, .swagger-ui .renderedMarkdown th { padding: 4px 12px 4px 0; vertical-align: top; }
.swagger-ui .renderedMarkdown td { overflow-wrap: anywhere; }
.swagger-ui .renderedMarkdown td:first-child { min-width: 11em; }
#guide { padding-block-end: 48px; }
`;
