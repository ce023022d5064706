/**
 * The page of `/docs`. Its addresses are relative to `/docs`, so that it also works below a path of a proxy. All of its
 * parts come from this service: the page works without any other network.
 */
export const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Cupo: reference of the service interface</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/page.css">
  </head>
  <body>
    <main id="reference"></main>
    <noscript>This page needs JavaScript. All that it shows is in <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/page.js"></script>
  </body>
</html>
`;

/**
 * The script of the page of `/docs`: starts Swagger UI, dark where the reader prefers that. No validator: it is a third
 * party's service.
 */
export const docsScript = `const dark = matchMedia("(prefers-color-scheme: dark)");
const followScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", followScheme);
followScheme();
SwaggerUIBundle({
  url: "openapi.json",
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
`;

/** The style sheet of the page of `/docs`: only what Swagger UI leaves to the page. */
export const docsStyle = `body { margin: 0; }
.swagger-ui .info { margin: 32px 0; }
.swagger-ui .renderedMarkdown table { display: block; max-width: 100%; overflow-x: auto; }
.swagger-ui .renderedMarkdown td, .swagger-ui .renderedMarkdown th { padding: 4px 12px 4px 0; vertical-align: top; }
.swagger-ui .renderedMarkdown td { overflow-wrap: anywhere; }
.swagger-ui .renderedMarkdown td:first-child { min-width: 11em; }
`;
