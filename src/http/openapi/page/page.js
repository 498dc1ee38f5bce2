/* Shows the document. It is a file of its own because the page's policy allows no script within the page. */

/** The component with some of its properties changed. */
function changed(change) {
  return (Original, { React }) =>
    (props) =>
      React.createElement(Original, { ...props, ...change(props) });
}

/** The component within an element of its own, which may say something before it. */
function within(tag, attributesOf, textOf = () => undefined) {
  return (Original, { React }) =>
    (props) => {
      const text = React.createElement("span", { className: "only-heard" }, textOf(props));
      return React.createElement(tag, attributesOf(props), text, React.createElement(Original, props));
    };
}

/** Sends only what a person typed: a body starts with its required fields and empty values, a form starts empty. */
const blankRequests = {
  afterLoad({ fn }) {
    const { getSampleSchema } = fn;
    fn.getSampleSchema = (schema, mediaType, config, example) => {
      if (mediaType === false) return "";
      const isBody = config?.includeWriteOnly === true && example !== undefined;
      return isBody
        ? blankBody(example.toJS(), schema.toJS().required)
        : getSampleSchema(schema, mediaType, config, example);
    };
  },
  wrapComponents: {
    ParameterIncludeEmpty: changed(({ isIncludedOptions }) => ({
      isIncludedOptions: { ...isIncludedOptions, defaultValue: false },
    })),
  },
};

/** The example without its values: its required fields, or all fields if no field is required. */
function blankBody(example, needed = Object.keys(example)) {
  return Object.fromEntries(needed.map((name) => [name, blank(example[name])]));
}

function blank(value) {
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return [];
  return typeof value === "object" && value !== null ? blankBody(value) : null;
}

/** Names for controls without one, for people who use a screen reader. */
const namedControls = {
  wrapComponents: {
    Input: changed(({ id }) => (id in tokenInputs ? { "aria-label": tokenInputs[id] } : {})),
    TextArea: changed(() => ({ "aria-label": "Request body" })),
    // Their labels say something else than their texts.
    Button: changed(({ children }) => (typeof children === "string" ? { "aria-label": undefined } : {})),
    CloseIcon: within("span", () => ({ role: "img", "aria-label": "Close" })),
    JsonSchemaForm: within(
      "label",
      () => ({}),
      ({ description }) => description,
    ),
    authorizationPopup: within("div", () => ({ role: "dialog", "aria-label": "Authorize" })),
  },
};

const tokenInputs = { "auth-bearer-value": "Bearer token", api_key_value: "Service token" };

/** The parts that differ from Swagger UI. */
const arrangement = {
  wrapComponents: {
    // There is only one server to choose from.
    ServersContainer: () => () => null,
    // Each field asks for the focus, and the last would get it; people have a JWT, which belongs into the first.
    authorizationPopup: (Original, { React }) =>
      function AuthorizationPopup(props) {
        React.useEffect(() => document.querySelector(".modal-ux input")?.focus(), []);
        return React.createElement(Original, props);
      },
    // A button must not contain a link. The address shows when the operation is open.
    OperationSummaryPath: changed(({ operationProps }) => ({
      operationProps: operationProps.set("isDeepLinkingEnabled", false),
    })),
    // Areas that scroll can be scrolled with the keyboard.
    SyntaxHighlighter: (Original, { React }) =>
      function SyntaxHighlighter(props) {
        const place = React.useRef(null);
        React.useEffect(() => place.current.querySelector("pre")?.setAttribute("tabindex", "0"));
        return React.createElement("div", { ref: place }, React.createElement(Original, props));
      },
  },
};

const page = window.SwaggerUIBundle({
  dom_id: "#api",
  url: "/swagger/json",
  plugins: [blankRequests, namedControls, arrangement],
  deepLinking: true,
  filter: true,
  tryItOutEnabled: true,
  syntaxHighlight: { theme: "obsidian" },
  // There are many named schemas; their list starts closed.
  defaultModelsExpandDepth: 0,
  // A stored token would stay in a shared browser.
  persistAuthorization: false,
  // Neither asks another host whether the document is valid, nor takes settings from the page's address.
  validatorUrl: null,
  queryConfigEnabled: false,
  // Protocols have clients of their own, and people look for the API. With all open, the page would show only what is in view.
  onComplete: () => {
    const { layoutActions, specSelectors } = page.getSystem();
    for (const { name, "x-protocol": isClosed } of specSelectors.specJson().toJS().tags) {
      if (isClosed) layoutActions.show(["operations-tag", name], false);
    }
  },
});
